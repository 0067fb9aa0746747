import { download, fetchFile, printFile } from '#kit/web/api/index.ts'
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
  act({ go: async () => printFile(await fetchFile(calls.receipt, asked(id, lang))), done: () => null })
