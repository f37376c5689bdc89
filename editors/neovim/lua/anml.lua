-- Colours by tree-sitter, and the language server. Neovim from 0.7 on.
--
--     vim.g.anml_compiler = "/path/to/anmlc"    -- otherwise `anmlc` of the PATH
--     vim.g.anml_parser = "/path/to/anml.so"    -- otherwise parser/anml.so of the 'runtimepath'
local M = {}

-- Neovim 0.7 knows other names, and colours nothing whose name it does not know.
local before_0_8 = {
  ["comment.documentation"] = "SpecialComment", ["string.escape"] = "SpecialChar", ["string.special"] = "Special",
  ["type.builtin"] = "Type", ["boolean"] = "Boolean", ["variable.builtin"] = "Special", ["keyword.import"] = "Include",
  ["keyword.type"] = "Keyword", ["keyword.repeat"] = "Repeat", ["keyword.conditional"] = "Conditional",
  ["keyword.modifier"] = "StorageClass", ["operator"] = "Operator", ["punctuation.bracket"] = "Delimiter",
  ["punctuation.delimiter"] = "Delimiter", ["module"] = "Include", ["type"] = "Type", ["constant"] = "Constant",
  ["function"] = "Function", ["function.call"] = "Function", ["variable"] = "Normal",
  ["variable.parameter"] = "Identifier", ["property"] = "Identifier", ["attribute"] = "PreProc",
  ["number"] = "Number", ["string"] = "String", ["comment"] = "Comment", ["keyword"] = "Keyword",
}

local function has_parser()
  local file = vim.g.anml_parser
  if file then
    if vim.treesitter.language and vim.treesitter.language.add then
      return pcall(vim.treesitter.language.add, "anml", { path = file })
    end
    return pcall(vim.treesitter.require_language, "anml", file)
  end
  return #vim.api.nvim_get_runtime_file("parser/anml.so", false) > 0
end

local function colour(buffer)
  if not has_parser() then return end
  if vim.treesitter.start then
    vim.treesitter.start(buffer, "anml")
  else
    local highlighter = vim.treesitter.highlighter
    for name, group in pairs(before_0_8) do highlighter.hl_map[name] = group end
    highlighter.new(vim.treesitter.get_parser(buffer, "anml"), {})
  end
end

local client

local function serve(buffer)
  local compiler = vim.g.anml_compiler or "anmlc"
  if vim.fn.executable(compiler) == 0 then return end
  local file = vim.api.nvim_buf_get_name(buffer)
  local settings = { name = "anml", cmd = { compiler, "lsp" }, root_dir = vim.fn.fnamemodify(file, ":p:h") }
  if vim.lsp.start then
    vim.lsp.start(settings, { bufnr = buffer })
  else
    client = client or vim.lsp.start_client(settings)
    if client and vim.lsp.buf_attach_client(buffer, client) then
      -- Later versions do this themselves.
      vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
      vim.bo[buffer].tagfunc = "v:lua.vim.lsp.tagfunc"
      vim.bo[buffer].formatexpr = "v:lua.vim.lsp.formatexpr()"
    end
  end
end

function M.attach(buffer)
  if buffer == 0 then buffer = vim.api.nvim_get_current_buf() end
  colour(buffer)
  serve(buffer)
end

return M
