/** So deep a credential may be, and of so many values: more would keep the server busy for what nobody issues. */
const DEEPEST = 64
const MOST_VALUES = 50_000
/** Whether JSON is deeper or of more values than is read. What stands in quotes does not count. */
export function isTangled(text: string): boolean {
  let depth = 0
  let values = 0
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/gs)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ',') values++
    if (depth > DEEPEST || values > MOST_VALUES) return true
  }
  return false
}
