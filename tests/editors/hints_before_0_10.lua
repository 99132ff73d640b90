-- Neovim before 0.10 has no inlay hints of its own: this asks for them whenever the diagnostics of a buffer change, and shows them at the
-- ends of the lines. docs/how-to/editors.md holds the same text.
local hints = vim.api.nvim_create_namespace("pytrope")
local function show_hints(buffer)
  local last = vim.api.nvim_buf_line_count(buffer)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = { start = { line = 0, character = 0 }, ["end"] = { line = last, character = 0 } },
  }
  vim.lsp.buf_request(buffer, "textDocument/inlayHint", params, function(_, result)
    vim.api.nvim_buf_clear_namespace(buffer, hints, 0, -1)
    local lines = {}
    for _, hint in ipairs(result or {}) do
      local label = hint.label
      if type(label) == "table" then
        label = table.concat(vim.tbl_map(function(part) return part.value end, label))
      end
      lines[hint.position.line] = (lines[hint.position.line] or "") .. " " .. label
    end
    for line, text in pairs(lines) do
      local mark = { virt_text = { { text, "Comment" } }, virt_text_pos = "eol" }
      vim.api.nvim_buf_set_extmark(buffer, hints, line, 0, mark)
    end
  end)
end
vim.api.nvim_create_autocmd("DiagnosticChanged", { callback = function(event) show_hints(event.buf) end })
