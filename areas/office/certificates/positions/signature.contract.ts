import { z } from 'zod'
import { call } from '#kit/contract/index.ts'

const answer = z.object({
  data: z.object({
    /** Address of the picture for the reader; null: there is none. */
    picture: z.string().nullable(),
  }),
})

/** How the own signature looks on papers of types that want it: nobody else keeps it, or sets it by standing in. */
export const signatureCalls = {
  own: call('GET', '/certificates/signature', {
    permission: 'sign_certificate',
    summary: ['Picture of the own signature', 'صورة توقيعي'],
    response: answer,
    personal: true,
  }),
  keep: call('POST', '/certificates/signature', {
    permission: 'sign_certificate',
    summary: ['Keep a picture of the own signature', 'حفظ صورة توقيعي'],
    upload: { field: 'picture', accept: ['png', 'jpg'], maxMB: 1 },
    response: answer,
    personal: 'always',
    confirm: 'second factor',
  }),
  remove: call('DELETE', '/certificates/signature', {
    permission: 'sign_certificate',
    summary: ['Remove the picture of the own signature', 'حذف صورة توقيعي'],
    response: answer,
    personal: 'always',
  }),
}
