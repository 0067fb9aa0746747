/** Formatted text as people write it here: what may stand in it, everything else is dropped. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  P: ['dir'],
  BR: [],
  STRONG: [],
  B: [],
  EM: [],
  I: [],
  U: [],
  UL: [],
  OL: [],
  LI: [],
  H3: [],
  H4: [],
  BLOCKQUOTE: [],
  A: ['href'],
  DIV: ['dir'],
  SPAN: ['dir'],
}
const DROPPED = new Set(['SCRIPT', 'STYLE', 'IFRAME', 'OBJECT', 'EMBED', 'TEMPLATE', 'NOSCRIPT', 'SVG', 'MATH'])
const SAFE_LINK = /^(https?:|mailto:|tel:|\/(?!\/))/i

/** The same text with only the allowed elements and attributes. The server sanitises as well; a browser never trusts one side. */
export function sanitise(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const clean = (from: Node, into: Node) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) into.appendChild(document.createTextNode(node.textContent ?? ''))
      if (!(node instanceof Element) || DROPPED.has(node.tagName.toUpperCase())) continue
      const allowed = ALLOWED[node.tagName]
      if (!allowed) {
        clean(node, into)
        continue
      }
      const made = document.createElement(node.tagName)
      for (const name of allowed) {
        const value = node.getAttribute(name)
        if (value === null || (name === 'href' && !SAFE_LINK.test(value.trim()))) continue
        made.setAttribute(name, value)
      }
      if (made.tagName === 'A') made.setAttribute('rel', 'noreferrer')
      clean(node, made)
      into.appendChild(made)
    }
  }
  const out = document.createElement('div')
  clean(parsed.body, out)
  return out.innerHTML
}

/** The words of a formatted text without its form, for one line of a table. */
export const plainText = (html: string): string =>
  new DOMParser().parseFromString(html.replace(/<(br|\/p|\/li|\/h\d)>/gi, ' '), 'text/html').body.textContent?.trim() ??
  ''
