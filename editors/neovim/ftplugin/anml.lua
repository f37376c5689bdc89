vim.bo.commentstring = "// %s"
vim.bo.comments = ":///,://"
vim.bo.shiftwidth = 2
vim.bo.expandtab = true
require("anml").attach(0)
