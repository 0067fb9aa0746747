/** Places on the screens of the ledger that later areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** How who works here pays what he or she still owes. */
export const payingOfWorker = outlet<Readonly<Record<string, never>>>('ledger.paying')
