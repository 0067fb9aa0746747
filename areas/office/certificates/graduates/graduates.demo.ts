import { createHash, randomBytes } from 'node:crypto'
import { issueInvoices, type DraftInvoice } from '#areas/money/invoices/issue.server.ts'
import { payerOfStaff } from '#areas/money/ledger/post.server.ts'
import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, momentBefore, stepsTo, usersByEmail } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { takeSerials } from '#kit/server/unit/serials.ts'
import { sql } from 'kysely'
import { graduateFlow } from './graduate.contract.ts'
import { graduateNumbers } from './ask.server.ts'

/** What a picture of an identity card looks like from afar. */
const CARD = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABuCAAAAACVCsusAAAAjElEQVR42u2asQnAMAwENWJGytgpUwZc2KBIIf8+DXAY/tCrcBzFEw3Aq3AAAgQIcA08E1MOHLk5IClv5uEYewrY9UJS3szDJ/YXwK4XkrKzhx5FjzYe+1C96NHGqZd1ix5t/O5DxaJHG3EPTYoebSz2oXzRo41RLwsXPdrY3YdfFD0pAwQ4A/78r8gN7kxQFZg7eIwAAAAASUVORK5CYII=',
  'base64',
)

/** State, type, what for, whether the record fits what was given, whether a picture is there, and the state of the certificate. */
const ASKED: readonly (readonly [
  state: 'to_check' | 'identified' | 'rejected' | 'cancelled',
  type: string,
  why: string,
  fits: boolean,
  proof: boolean,
  certificate?: string,
])[] = [
  ['to_check', 'TRANSCRIPT', 'For an employer in the Gulf', true, true],
  ['to_check', 'RANKING', 'للتقديم على وظيفة حكومية', true, false],
  ['to_check', 'TRANSCRIPT', 'For a master abroad', false, true],
  ['identified', 'RANKING', 'لنقابة المهندسين', true, true, 'fee_due'],
  ['identified', 'TRANSCRIPT', 'For an evaluation abroad', true, true, 'New'],
  ['rejected', 'TRANSCRIPT', 'For a friend', false, true],
  ['cancelled', 'RANKING', 'طلبته بالخطأ', false, false],
]
const PRICES = {
  TRANSCRIPT: {
    code: 'TRANSCRIPT',
    names: ['Official transcript', 'بيان درجات رسمي'],
    prices: [150, 300, 50, 15, 30, 5],
  },
  RANKING: {
    code: 'RANKING',
    names: ['Statement of cumulative result', 'إفادة بالمعدل التراكمي'],
    prices: [70, 140, 20, 6, 12, 2],
  },
} as const

/** Charges for a certificate of the demo university. */
export async function chargeDemo(
  tx: Tx,
  id: number,
  whose: number | { readonly staff_id: number },
  of: {
    readonly code: string
    readonly names: readonly [en: string, ar: string]
    readonly prices: readonly [local: number, ...number[]]
  },
): Promise<void> {
  const payer = typeof whose === 'number' ? null : await payerOfStaff(tx, whose.staff_id)
  const { rows } = await sql<
    Pick<DraftInvoice, 'payer_id' | 'faculty_id' | 'program_id' | 'level' | 'term_id' | 'year_id'>
  >`
    select p.id as payer_id, u.faculty_id, null::int as program_id, null::int as level, null::int as term_id, null::int as year_id
    from payers p join users u on u.id = p.user_id where p.id = ${payer}::int
    union all
    select p.id as payer_id, s.faculty_id, s.program_id, s.level, t.id as term_id, t.year_id from students s
      join payers p on p.student_id = s.id and p.main
      join terms t on t.id = (select term_id from current_terms where key = 'current_term') where s.id = ${typeof whose === 'number' ? whose : null}::int`.execute(
    tx,
  )
  const amount = of.prices[0] * 100
  const [issued] = await issueInvoices(SILENT, tx, [
    {
      ...firstRow(rows),
      type: 'certificates',
      currency: 'EGP',
      issued_on: dayOf(),
      lines: [
        {
          account: 'certificates',
          item: of.code,
          name: of.names[0],
          name_local: of.names[1],
          unit_amount: amount,
          amount,
        },
      ],
      installments: [{ amount, due_date: addDays(dayOf(), 7) }],
    },
  ])
  await sql`insert into request_fees (invoice_id, workflow, record_id) values (${issued!.id}, 'certificate', ${id})`.execute(
    tx,
  )
}

/** What graduates without an account have asked for: one at least in each state. */
export default demoPart(
  ['graduate_requests'],
  ['certificates', 'certificate_settings', 'students', 'users', 'transactions'],
  async (tx, demo) => {
    const officer = [...(await usersByEmail(tx))].find(([email]) => email.startsWith('affairs@'))![1]
    const { rows: graduates } = await sql<{ id: number; code: string; name: string; birth_date: string }>`
      select s.id, s.code, s.name, s.birth_date::text as birth_date from students s
      where s.status = 'graduated' and s.user_id is null and s.removed_at is null and s.birth_date is not null and not certificates_held(s.id)
        and not exists (select from certificates c where c.student_id = s.id) order by s.id limit ${ASKED.length}`.execute(
      tx,
    )
    const { rows: types } = await sql<{ id: number; code: string }>`select id, code from certificate_settings`.execute(
      tx,
    )
    const typeId = (code: string) => types.find((one) => one.code === code)!.id
    const numbers = await takeSerials(tx, graduateNumbers, ASKED.length)
    const hash = createHash('sha256').update(CARD).digest('hex')
    for (const [i, [state, type, why, fits, proof, certificate]] of ASKED.entries()) {
      const who = graduates[i % graduates.length]!
      const asked = {
        type_id: typeId(type),
        lang: i % 2 ? 'ar' : 'en',
        copies: 1 + (i % 2),
        speed: 'normal',
        delivery: 'electronic',
        why,
      }
      const { rows: files } = proof
        ? await sql<{ id: number }>`insert into files (hash, name, ext, mime, size)
            values (${hash}, 'identity-card.png', 'png', 'image/png', ${CARD.byteLength}) returning id`.execute(tx)
        : { rows: [] }
      const [made] = certificate
        ? await insertRows(
            tx,
            'certificates',
            [
              {
                ...asked,
                student_id: who.id,
                status: certificate,
                promised_on: addDays(demo.today, 3),
                created_at: momentBefore(3 * (ASKED.length - i)),
              },
            ],
            { returning: 'id' },
          )
        : []
      const [id] = await insertRows(
        tx,
        'graduate_requests',
        [
          {
            ...asked,
            code: numbers[i]!.text,
            email: `graduate${i + 1}@example.org`,
            language: i % 2 ? 'ar' : 'en',
            // Nobody has these keys: a link is asked for with the address.
            key_hash: `\\x${randomBytes(32).toString('hex')}`,
            name: who.name,
            identity_kind: 'code',
            identity: fits ? who.code.toUpperCase() : `9${who.code}`.slice(0, 20),
            birth_date: who.birth_date,
            student_id: fits ? who.id : null,
            proof_file_id: files[0]?.id ?? null,
            status: state,
            certificate_id: made ?? null,
            created_at: momentBefore(4 * (ASKED.length - i)),
          },
        ],
        { returning: 'id' },
      )
      const at = momentBefore(4 * (ASKED.length - i))
      await insertRows(tx, 'step_history', [
        {
          workflow: 'graduate_request',
          record_id: id,
          actor_id: null,
          action: 'ask',
          from_state: null,
          to_state: 'to_check',
          reason: null,
          at,
        },
        ...stepsTo(graduateFlow, state).map((taken) => ({
          workflow: 'graduate_request',
          record_id: id,
          actor_id: state === 'cancelled' ? null : officer,
          ...taken,
          reason: state === 'rejected' ? 'The picture shows somebody else' : null,
          at,
        })),
        ...(made === undefined
          ? []
          : [
              {
                workflow: 'certificate',
                record_id: made,
                actor_id: null,
                action: 'begin',
                from_state: null,
                to_state: certificate!,
                reason: null,
                at,
              },
            ]),
      ])
      if (certificate === 'fee_due' && made !== undefined)
        await chargeDemo(tx, made, who.id, PRICES[type as keyof typeof PRICES])
    }
    // A record with the address of its graduate: what is asked for with it goes on at once.
    const last = firstRow(graduates)
    await sql`update students set email = 'graduate@example.org' where id = ${last.id} and email is null`.execute(tx)
    return async (_db, storage) => {
      await storage.put(CARD)
    }
  },
)
