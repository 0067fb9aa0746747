import { Refusal } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { GUEST_DOCUMENTS, guest } from './guest.contract.ts'
import { documentReasons, writtenDocument } from './guest.rules.ts'

export const guestHandlers = serveResource(guest, {
  beforeWrite: (_ctx, _tx, merged) => {
    const number = writtenDocument(String(merged.document_number ?? ''))
    merged.document_number = number
    const kind = GUEST_DOCUMENTS.find(({ value }) => value === merged.document_kind)?.value
    const reasons = kind ? documentReasons({ kind, number }) : []
    if (reasons.length) throw new Refusal(422, reasons)
  },
})
