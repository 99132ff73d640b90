-- Run by Neovim itself, without a screen: starts the server as docs/how-to/editors.md says for older versions, opens a file,
-- and looks at what the editor makes of the answers. Prints one line for each check; ends with 1 if one fails.

local failed = false
local function check(what, ok, seen)
  print((ok and "ok: " or "FAILED: ") .. what .. (ok and "" or " " .. vim.inspect(seen)) .. "\n")
  failed = failed or not ok
end

local client = vim.lsp.start_client({
  name = "pytrope",
  cmd = { vim.env.PYTROPE_BIN, "server" },
  root_dir = vim.fn.getcwd(),
})
vim.cmd("edit main.py")
vim.lsp.buf_attach_client(0, client)

local function found()
  return vim.diagnostic.get(0)
end
vim.wait(20000, function() return #found() > 0 end, 20)
local first = found()[1] or {}
check("the finding stands at the product", first.lnum == 4 and first.col == 4 and first.code == "PT202", found())

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  return (answers[client] or {}).result
end
vim.api.nvim_win_set_cursor(0, { 3, 0 })
local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"))
check("hover shows the shape", hover and hover.contents.value:find("ndarray[3, 4]", 1, true) ~= nil, hover)
local origin = ask("textDocument/typeDefinition", vim.lsp.util.make_position_params(0, "utf-16"))
check("the type definition is where the array was created", origin and origin.range.start.line == 2, origin)
local lenses = ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params(0) })
check("a function has its signature", lenses and lenses[1] and lenses[1].command.title == "(x: [n, 3]) → [3, n]", lenses)

vim.api.nvim_buf_set_text(0, 3, 14, 3, 15, { "4" })
vim.wait(20000, function() return #found() == 0 end, 20)
check("the finding goes with the edit", #found() == 0, found())
vim.cmd("undo")
vim.wait(20000, function() return #found() == 1 end, 20)
check("and comes back when it is undone", #found() == 1, found())

vim.lsp.stop_client(client)
vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 20)
check("the server ends when it is asked to", vim.lsp.client_is_stopped(client), nil)
vim.cmd(failed and "cquit 1" or "qall!")
