/** Mails to graduates who have no account, in the language in which they asked. */
import type { Tx } from '#db/connect.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { mailedCodes, sealKey, unsealKey } from '#kit/server/identity/code-by-mail.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'

/** Codes that are sent to an address before a certificate is asked for or graduateLine. */
export const graduateCodes = mailedCodes({
  what: 'certificate code',
  job: 'send-certificate-code',
  mail: 'certificate_code',
})

const KEY_SEAL = 'certificate request key'
/** Where whoever has lost the link asks for another one. */
const PAGE = '/certificates/graduate'

interface To {
  readonly email: string
  readonly language: Language
  readonly code: string
  readonly type: string
  readonly type_local: string
}
async function mail(
  ctx: Ctx,
  id: number,
  key: string,
  { link, reason = '' }: { link: string; reason?: string },
): Promise<void> {
  const { rows } = await sql<To>`select t.email, t.language, t.code, y.name as type, y.name_local as type_local
    from graduate_requests t join certificate_settings y on y.id = t.type_id where t.id = ${id} and t.removed_at is null`.execute(
    ctx.db,
  )
  const [to] = rows
  if (!to) return
  const head = await universityHead(ctx)
  const arabic = to.language === 'ar'
  await ctx.services.mail.send({
    to: to.email,
    lang: to.language,
    key,
    data: {
      number: to.code,
      type: arabic ? to.type_local : to.type,
      university: arabic ? head.name_local : head.name,
      reason,
      link: `${ctx.services.config.publicUrl}${link}`,
    },
  })
}

/** Sends the link by which a request is graduateLine on any device. */
export const sendGraduateLink = defineJob({
  name: 'send-certificate-link',
  retries: 5,
  async run(ctx, { id, sealed }: { id: number; sealed: string }) {
    const key = await unsealKey(ctx, KEY_SEAL, id, sealed)
    await mail(ctx, id, 'certificate_link', { link: `${PAGE}/${id}/${key}` })
  },
})
export async function mailGraduateLink(ctx: Ctx, tx: Tx, id: number, key: string): Promise<void> {
  const sealed = await sealKey(ctx, KEY_SEAL, id, key)
  await ctx.services.jobs.send(tx, sendGraduateLink, { id, sealed }, { actor: null })
}

/** What is told of a request, and of the certificate that it has become. Nobody but who asked has the key, so mails name the page. */
const TOLD = {
  confirm: 'certificate_confirmed',
  reject: 'certificate_request_rejected',
  cancel: 'certificate_request_cancelled',
  certificate_issue: 'certificate_ready',
  certificate_deliver: 'certificate_released',
  certificate_deliver_by_mail: 'certificate_posted',
  certificate_reject: 'certificate_rejected',
} as const
type Told = keyof typeof TOLD

export const sendGraduateNews = defineJob({
  name: 'send-certificate-news',
  retries: 5,
  run: (ctx, { id, told, reason }: { id: number; told: Told; reason: string | null }) =>
    mail(ctx, id, TOLD[told], { link: PAGE, reason: reason ?? '' }),
})
export const mailGraduateNews = (ctx: Ctx, tx: Tx, id: number, told: Told, reason: string | null): Promise<unknown> =>
  ctx.services.jobs.send(tx, sendGraduateNews, { id, told, reason }, { actor: null })

const isTold = (action: string): action is Told => Object.hasOwn(TOLD, action)
/** Tells those who asked without an account what became of their certificates; those with one read it in the application. */
export async function tellGraduates(
  ctx: Ctx,
  tx: Tx,
  moved: readonly { readonly id: number; readonly action: string; readonly reason: string | null }[],
): Promise<void> {
  const { rows } = await sql<{ id: number; certificate_id: number; delivery: string }>`
    select g.id, c.id as certificate_id, c.delivery from graduate_requests g join certificates c on c.id = g.certificate_id
    where c.id = any(${moved.map(({ id }) => id)}::int[])`.execute(tx)
  for (const { id, certificate_id, delivery } of rows)
    for (const one of moved.filter((each) => each.id === certificate_id)) {
      const told = `certificate_${one.action}`
      // What is issued to be sent or released is told of when it is.
      if (!isTold(told) || (told === 'certificate_issue' && delivery !== 'by_hand')) continue
      await mailGraduateNews(ctx, tx, id, told, one.reason)
    }
}
