import { download, fetchFile, saveAs } from '#kit/web/api/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import type { Language } from '#kit/contract/index.ts'
import { transactionCalls as calls } from './transaction.contract.ts'

const asked = (id: number, lang: Language) => ({
  params: { id },
  query: { lang: lang === 'ar' ? ('ar' as const) : ('en' as const) },
})

/** Saves the receipt of a transaction. */
export const saveReceipt = (id: number, lang: Language) =>
  act({ go: () => download(calls.receipt, asked(id, lang)), done: () => null })

/** Sends the receipt to the printer; where a browser does not print what it is given, it is saved. */
export const printReceipt = (id: number, lang: Language) =>
  act({
    go: async () => {
      const { name, content } = await fetchFile(calls.receipt, asked(id, lang))
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
    },
    done: () => null,
  })
