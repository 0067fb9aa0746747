/** What anybody learns of a paper by its code. */
import { query } from '#db/connect.ts'
import { codeTyped, verifyPaper } from '#kit/contract/papers.ts'
import type { Disclosure, Verdict } from '#kit/contract/papers.ts'
import { attempt, networkOf } from '../identity/attempts.ts'
import { handle } from '../base/context.ts'
import type { Handled } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { perServices, together } from '../unit/together.ts'
import { areaOfKind } from './papers.ts'
import type { Names } from './papers.ts'

interface Found {
  kind: string
  title: Names
  serial: string
  issued_on: string
  revoked_on: string | null
  disclosure: Disclosure
  valid_until: string | null
  state: Verdict['state']
  sha256: string
  signature: { at: string; fingerprint: string } | null
  holder: Names
  facts: { label: string; label_local: string; value: string; value_local: string }[]
}
const UNKNOWN: Verdict = { state: 'unknown', paper: null }
/** Codes that stand on no paper cost; those that do are free, so that an office may verify a hundred in a row. */
const GUESSES = { free: 30, longest: 300 }

/**
 * The paper of a code, at one round trip for whoever has it: only guesses are counted. Whoever has guessed too often waits.
 * An office that verifies hundreds shares statements with everybody else.
 */
const findPaper = perServices((services) =>
  together(
    async (asked: readonly { readonly code: string; readonly limit: string }[]) => {
      const rows = await query<Found & { asked: number; wait: number | null }>(
        services.pool,
        'papers_verified',
        `select x.asked::int as asked, kind, json_build_object('name', title, 'name_local', title_local) as title, serial,
          (issued_at at time zone university_zone())::date as issued_on, (revoked_at at time zone university_zone())::date as revoked_on, disclosure,
          json_build_object('name', holder, 'name_local', holder_local) as holder, facts, valid_until, sha256,
          case when revoked_at is not null then 'revoked' when replaced_by is not null then 'replaced'
            when valid_until < university_today() then 'expired' else 'valid' end as state,
          (select json_build_object('at', p.issued_at, 'fingerprint', k.fingerprint) from paper_keys k where k.id = key_id) as signature,
          (select ceil(extract(epoch from a.blocked_until - clock_timestamp()))::integer from login_attempts a
            where a.key = x.key and a.blocked_until > clock_timestamp()) as wait
        from unnest($1::text[], $2::text[]) with ordinality as x (code, key, asked) join papers p on p.code = x.code`,
        [asked.map(({ code }) => code), asked.map(({ limit }) => limit)],
      )
      const found = new Map(rows.map((row) => [row.asked - 1, row]))
      return asked.map((_, at) => found.get(at))
    },
    { most: 32, lanes: 2, apart: (one) => one },
  ),
)

/** Tells anybody with a paper's code whether the paper is genuine, with the details that its holder allows. */
export const verifyHandler: Handled = handle(verifyPaper, async (ctx, { params }): Promise<{ data: Verdict }> => {
  const limit = { key: `verify address ${networkOf(ctx.ip)}`, ...GUESSES }
  const code = codeTyped(params.code)
  const found = /^[0-9A-HJKMNP-TV-Z]{20}$/.test(code)
    ? await findPaper(ctx.services)({ code, limit: limit.key })
    : undefined
  if (!found) {
    await attempt(ctx.pool, [limit])
    return { data: UNKNOWN }
  }
  if (found.wait !== null) throw refuse(429, 'too_many_requests', { seconds: Math.max(1, found.wait) })
  return {
    data: {
      state: found.state,
      paper: {
        title: found.title,
        area: areaOfKind(found.kind),
        serial: found.serial,
        issued_on: found.issued_on,
        revoked_on: found.revoked_on,
        valid_until: found.valid_until,
        sha256: found.sha256,
        signature: found.signature,
        holder: found.disclosure === 'nothing' ? null : found.holder,
        facts:
          found.disclosure === 'everything'
            ? found.facts.map((fact) => ({
                label: { name: fact.label, name_local: fact.label_local },
                value: { name: fact.value, name_local: fact.value_local },
              }))
            : [],
      },
    },
  }
})
