-- Neovim's own client against `anmlc lsp`, headless: what it shows is written to $RESULT as JSON, for test_neovim.py.
local folder, result = os.getenv("FOLDER"), os.getenv("RESULT")
local out = { errors = {} }

local function write()
  local file = assert(io.open(result, "w"))
  file:write(vim.fn.json_encode(out))
  file:close()
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    table.insert(out.errors, "waited in vain for " .. what)
    write()
    vim.cmd("cquit!")
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    local wrong = answer.err or answer.error
    if wrong then table.insert(out.errors, method .. ": " .. (wrong.message or vim.inspect(wrong))) end
    return answer.result
  end
  table.insert(out.errors, method .. ": no answer")
end

local function go(mark, plus)
  vim.fn.cursor(1, 1)
  vim.fn.search("\\V" .. mark, "cW")
  vim.fn.cursor(vim.fn.line("."), vim.fn.col(".") + (plus or 0))
end

local function here(more)
  return vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
end

vim.cmd("edit " .. folder .. "/town.anml")
local client = vim.lsp.start_client({
  name = "anmlc", cmd = { os.getenv("ANMLC"), "lsp" }, root_dir = folder, init_options = { lint = false },
  on_error = function(code, err) table.insert(out.errors, tostring(code) .. vim.inspect(err)) end,
})
vim.lsp.buf_attach_client(0, client)
wait("the server", function() return vim.lsp.get_client_by_id(client).initialized end)
out.encoding = vim.lsp.get_client_by_id(client).offset_encoding

-- Diagnostics of an error that is typed, and none when it is taken back.
local function messages()
  return vim.tbl_map(function(d) return { d.lnum, d.col, d.message } end, vim.diagnostic.get(0))
end
go("far * 2")
vim.api.nvim_put({ "z" }, "c", false, true)
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
out.diagnostics = messages()
local action = vim.lsp.util.make_range_params()
action.context = { diagnostics = {} }
out.actions = vim.tbl_map(function(a) return a.title end, ask("textDocument/codeAction", action) or {})
vim.cmd("undo")
wait("their end", function() return #vim.diagnostic.get(0) == 0 end)

go("far * 2")
out.hover = ask("textDocument/hover", here()).contents.value
go("twice }")
vim.lsp.buf.definition()
wait("the definition", function() return vim.fn.getline("."):match("let twice") end)
out.definition = { vim.fn.line("."), vim.fn.col(".") }
out.references = #ask("textDocument/references", here({ context = { includeDeclaration = true } }))
go("rate = 10", 2)
out.completion = vim.tbl_map(function(i) return i.label end, ask("textDocument/completion", here()).items)
out.symbols = #vim.lsp.util.symbols_to_items(ask("textDocument/documentSymbol", { textDocument = here().textDocument }), 0)

-- Renamed in this file and in the one that it imports.
go("gateway")
vim.lsp.buf.rename("core")
wait("the new name", function() return vim.fn.search("gateway", "nw") == 0 end)
vim.cmd("wall")
out.renamed = { vim.fn.readfile(folder .. "/town.anml"), vim.fn.readfile(folder .. "/parts.anml") }

-- Formatted.
vim.fn.setline(vim.fn.search("let twice"), "      let twice=far*2")
vim.lsp.buf.formatting_sync(nil, 60000)
out.formatted = vim.fn.getline(vim.fn.search("let twice", "w"))

vim.lsp.stop_client(client)
wait("the server's end", function() return vim.lsp.get_client_by_id(client) == nil or vim.lsp.get_client_by_id(client).is_stopped() end)
write()
vim.cmd("qall!")
