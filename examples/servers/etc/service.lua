-- What a request takes of a processor, Apache's own work included, so that a server is as slow on each machine: SERVICE us, SERVICE_KB us for each KB
-- of the document, and SERVICE_CONNECTION us where it has a connection of its own (HTTP/1.0). It takes AS_IF_OF times as long: as of so many processors
-- which together are no faster. For prefork, where a process has one request at a time.
local function microseconds(name) return tonumber(os.getenv(name) or "0") * 1e-6 end

local fixed, connection, per_byte = microseconds("SERVICE"), microseconds("SERVICE_CONNECTION"), microseconds("SERVICE_KB") / 1024
local processors = tonumber(os.getenv("AS_IF_OF") or "1")
local due = os.clock()

function spend(request)
  local file = request:stat(request.filename)
  local cost = fixed + per_byte * (file and file.size or 0)
  if request.protocol == "HTTP/1.0" then cost = cost + connection end
  due = math.max(due, os.clock() - cost) + cost
  while os.clock() < due do end
  if processors > 1 then request.usleep(math.floor(cost * (processors - 1) * 1e6)) end
  return apache2.DECLINED
end
