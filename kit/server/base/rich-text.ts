const KEPT = new Set([
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'ul',
  'ol',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'blockquote',
  'pre',
  'code',
  'a',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'td',
  'th',
])
const EMPTY = new Set(['br', 'hr'])
/** Elements whose content is no text of the author. */
const DROPPED = /<(script|style|iframe|object|embed|template|noscript|svg|math)\b[\s\S]*?(<\/\1\s*>|$)/gi

const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Formatted text without anything active: rebuilt from a short list of elements, without attributes except the address
 * of a link (http, https, mailto, or inside the application), with every element closed.
 */
export function sanitizeRichText(html: string): string {
  const open: string[] = []
  let out = ''
  let from = 0
  const source = html.replace(DROPPED, '').replace(/<!--[\s\S]*?(-->|$)/g, '')
  for (const match of source.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi)) {
    out += escaped(source.slice(from, match.index))
    from = match.index + match[0].length
    const name = (match[2] as string).toLowerCase()
    if (!KEPT.has(name)) continue
    if (match[1]) {
      const at = open.lastIndexOf(name)
      if (at < 0) continue
      out += open
        .splice(at)
        .toReversed()
        .map((element) => `</${element}>`)
        .join('')
    } else if (EMPTY.has(name)) {
      out += `<${name}>`
    } else {
      open.push(name)
      const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(match[3] ?? '') ?? []
      const address = (double ?? single ?? '').trim()
      const safe = name === 'a' && /^(https?:\/\/|mailto:|\/(?!\/))[^\s]*$/i.test(address)
      out += safe
        ? `<a href="${address.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}" rel="noopener noreferrer">`
        : `<${name}>`
    }
  }
  return (
    out +
    escaped(source.slice(from)) +
    open
      .toReversed()
      .map((element) => `</${element}>`)
      .join('')
  )
}
