import { z } from 'zod'
import { call, id, safeText } from '#kit/contract/index.ts'

/** Certificates are handed over by the code of their paper. */
export const handingCalls = {
  handOver: call('POST', '/certificates/hand_over', {
    permission: 'edit_certificate',
    summary: ['Hand over a certificate by the code printed on its paper', 'تسليم شهادة بالرمز المطبوع على وثيقتها'],
    body: z.strictObject({
      /** As it is printed, or the address that the QR code is. */
      code: z.string().min(1).max(300),
      /** Who collects it, where it is not the person whose certificate it is. */
      collected_by: safeText(200, 3).optional(),
    }),
    response: z.object({
      data: z.object({
        id,
        holder: z.object({ name: z.string(), name_local: z.string() }),
        title: z.object({ name: z.string(), name_local: z.string() }),
        serial: z.string(),
        copies: z.int(),
      }),
    }),
    example: { code: 'ABCDE-FGHJK-MNPQR-STVWX' },
  }),
}

/** The code in what was typed, pasted or scanned: the address of a page of verification, or the code itself. */
export const codeIn = (text: string): string => /\/qr_code\/([\w-]+)/.exec(text)?.[1] ?? text.trim()
