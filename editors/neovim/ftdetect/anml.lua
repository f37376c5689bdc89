vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.anml",
  callback = function() vim.bo.filetype = "anml" end,
})
