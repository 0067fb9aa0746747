import { saveAs } from './client.ts'

/** Sends a file to the printer; where a browser does not print what it is given, it is saved. */
export function printFile({ name, content }: { readonly name: string; readonly content: Blob }): void {
  // A browser that a program drives has nobody at a printer, and breaks when it is to print a PDF.
  if (navigator.webdriver) return saveAs(content, name)
  const url = URL.createObjectURL(content)
  const frame = document.createElement('iframe')
  // Out of sight, yet laid out: what is not drawn is not printed.
  frame.style.cssText = 'position:fixed;inset-block-start:-2000px;inline-size:600px;block-size:800px;border:0'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.src = url
  frame.addEventListener('load', () => {
    try {
      frame.contentWindow!.focus()
      frame.contentWindow!.print()
    } catch {
      saveAs(content, name)
    }
  })
  document.body.append(frame)
  setTimeout(() => {
    frame.remove()
    URL.revokeObjectURL(url)
  }, 300_000)
}
