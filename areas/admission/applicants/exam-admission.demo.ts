import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { personMaker } from '#demo/people.ts'
import { demoPart } from '#demo/part.ts'
import { seededRandom } from '#demo/random.ts'
import { insertRows } from '#db/bulk.ts'
import { firstRow } from '#db/rows.ts'
import { addDays, instantAt } from '#kit/contract/day.ts'
import { takeSerials } from '#kit/server/unit/serials.ts'
import { applicationNumbers } from './apply/apply.server.ts'
import type { ApplicantStatus } from './words.contract.ts'

const EGYPT = 64
const ADMISSION = 7
/** How many sat the exam and wait for a seat. */
const WAITING = 320
/**
 * Those who stand elsewhere: where, with which result, and whether with a seat. Masters pay for their exam, and transfers bring
 * hours.
 */
const OTHERS: readonly (readonly [ApplicantStatus, exam: string | null, seat: boolean, admission: number])[] = [
  ['UPDATED', null, false, 1],
  ['UPDATED', null, false, 1],
  ['REVIEWED', null, false, ADMISSION],
  ['REVIEWED', null, false, 5],
  ['REVIEWED', null, false, 3],
  ['REVIEWED', null, false, ADMISSION],
  ['REVIEWED', null, false, 5],
  ['REVIEWED', null, false, 3],
  ['EXAM_FEES_REQUIRED', null, false, 5],
  ['EXAM_FEES_REQUIRED', null, false, ADMISSION],
  ['EXAM_FEES_REQUIRED', null, false, ADMISSION],
  ['EXAM_FAILS', '35', false, ADMISSION],
  ['EXAM_FAILS', '18', false, ADMISSION],
  ['exam required', null, false, ADMISSION],
  ['exam required', '71.5', false, ADMISSION],
  ['exam required', '31', false, ADMISSION],
  ['exam required', '88', false, ADMISSION],
  ['exam required', '22.5', false, ADMISSION],
  ['exam required', '64.25', false, ADMISSION],
  ['exam required', '38', false, ADMISSION],
  ['exam required', '59', false, ADMISSION],
  ['exam required', '12', false, ADMISSION],
  ['DISTRIBUATION_REQUIRED', '94', true, ADMISSION],
  ['DISTRIBUATION_REQUIRED', null, true, 3],
  ['DISTRIBUATION_REQUIRED', '95', true, ADMISSION],
  ['DISTRIBUATION_REQUIRED', null, true, 3],
  ['EQUIVALENCE_DONE', null, true, 3],
  ['EQUIVALENCE_DONE', null, true, 3],
  ['FINAL_FEES_REQUIRED', '91', true, ADMISSION],
  ['FINAL_FEES_REQUIRED', '93.5', true, ADMISSION],
  ['FINAL_FEES_REQUIRED', null, true, 3],
  ['APPROVED', '97', true, ADMISSION],
  ['APPROVED', '96', true, ADMISSION],
]

/** Applicants of an admission that is over, whose seats are given next, and some at every further step. */
export default demoPart(
  ['applicant_degrees'],
  ['applicants', 'admission_programs', 'communities', 'certificate_types', 'certificate_subjects'],
  async (tx, demo) => {
    const random = seededRandom(20_261_128)
    const person = personMaker(random)
    const { rows } = await sql<{ admission_id: number; program_ids: number[] }>`
      select admission_id, array_agg(program_id order by program_id) as program_ids from admission_programs where is_open group by 1`.execute(
      tx,
    )
    const offered = new Map(rows.map((row) => [row.admission_id, row.program_ids]))
    const { id: last } = firstRow(
      (await sql<{ id: number }>`select coalesce(max(id), 0)::int as id from applicants`.execute(tx)).rows,
    )
    const waiting = (admission: number, many: number) =>
      Array.from({ length: many }, (): (typeof OTHERS)[number] => ['DISTRIBUATION_REQUIRED', null, false, admission])
    const list = [
      // Of last year some still wait for what was not taken up.
      ...waiting(2, 24),
      ...waiting(8, 20),
      ...Array.from({ length: WAITING }, (): (typeof OTHERS)[number] => [
        'DISTRIBUATION_REQUIRED',
        Math.min(100, Math.max(40, 66 + 13 * random.normal())).toFixed(2),
        false,
        ADMISSION,
      ]),
      ...OTHERS,
    ]
    const { id: foreign } = firstRow(
      (await sql<{ id: number }>`select id from countries where id <> ${EGYPT} order by id limit 1`.execute(tx)).rows,
    )
    const numbers = await takeSerials(tx, applicationNumbers, list.length)
    const people = list.map(([status, exam, seat, admission], i) => {
      const graduate = admission === 5 || admission === 8
      const year = Number(demo.today.slice(0, 4)) - (graduate ? 25 : 18)
      const made = person({ born: [`${year - 1}-09-01`, `${year}-08-31`], foreign: i % 17 === 16 })
      // Good marks go with a good result, more or less.
      const total = Math.round(Math.min(320, Math.max(205, 262 + 26 * random.normal())) * 2) / 2
      const choices = offered.get(admission) ?? []
      const wanted = [
        ...new Set(
          Array.from({ length: 3 + random.int(0, 5) }, () => Math.floor(choices.length * random.next() ** 1.8)),
        ),
      ]
      const wishes = wanted.slice(0, admission === 3 ? 3 : graduate ? 2 : 8).map((at) => choices[at]!)
      const at = instantAt(
        addDays(
          demo.today,
          (admission === ADMISSION ? -85 : admission === 2 || admission === 8 ? -390 : -12) + (i % 9),
        ),
        '10:00',
      ).toISOString()
      return {
        id: last + i + 1,
        status,
        exam,
        seat,
        admission,
        graduate,
        made,
        total,
        wishes,
        at,
        code: numbers[i]!.text,
      }
    })
    const beginner = people.find(({ admission, seat }) => admission === 3 && seat)?.id
    await insertRows(
      tx,
      'applicants',
      people.map(({ id, status, exam, seat, admission, graduate, made, total, wishes, at, code }, i) => ({
        id,
        code,
        admission_id: admission,
        status,
        program_id: seat ? wishes[0] : null,
        exam_result: exam,
        exam_attempt: status === 'EXAM_FAILS' ? 2 : 1,
        email: `applicant.${id}@example.com`,
        language: i % 5 === 4 ? 'en' : 'ar',
        // Nobody has these keys: whoever wants one asks for a code.
        key_hash: `\\x${createHash('sha256').update(`demo applicant of the exam ${id}`).digest('hex')}`,
        name: made.name,
        name_local: made.name_local,
        nationality_id: made.national_id ? EGYPT : foreign,
        national_id: made.national_id,
        passport_number: made.passport_number,
        gender: made.gender,
        birth_date: made.birth_date,
        phone: `0100${String(5_000_117 + id * 31_337).slice(-7)}`,
        country_id: EGYPT,
        community_id: 1,
        address: '7 Station Street',
        father_name: made.name.split(' ').slice(1).join(' '),
        mother_name: 'سعاد محمد',
        certificate_type_id: graduate ? null : 1 + (i % 2),
        certificate_country_id: EGYPT,
        certificate_year: Number(demo.today.slice(0, 4)) - (graduate ? 7 : 0),
        certificate_school: graduate ? null : 'Nile Secondary School',
        certificate_total: graduate ? null : total,
        percentage: (Math.round((total / 320) * 10_000) / 100).toFixed(2),
        previous_university: admission === 3 ? 'جامعة عين شمس' : null,
        // The first who was given a program passed nothing there.
        previous_hours: admission === 3 ? (id === beginner ? '0' : '34') : null,
        previous_gpa: admission === 3 ? '3.10' : null,
        wants_scholarship: false,
        wants_financial_aid: false,
        require_payment: false,
        version: 1,
        submitted_at: at,
        created_at: at,
        updated_at: at,
      })),
    )
    await sql`select setval(pg_get_serial_sequence('applicants', 'id'), (select max(id) from applicants))`.execute(tx)
    await insertRows(
      tx,
      'applicant_preferences',
      people.flatMap(({ id, wishes }) =>
        wishes.map((program_id, position) => ({ applicant_id: id, position, program_id })),
      ),
    )
    // What each lost of the total is lost in all subjects alike.
    await insertRows(
      tx,
      'applicant_subjects',
      people.flatMap(({ id, graduate, total }, i) =>
        graduate
          ? []
          : (i % 2 ? [1, 2, 3, 4, 5] : [1, 2, 4, 5, 6]).map((certificate_subject_id, position) => ({
              applicant_id: id,
              position,
              certificate_subject_id,
              mark: Math.max(0, (position === 0 ? 80 : 60) - (320 - total) / 5).toFixed(2),
            })),
      ),
    )
    await insertRows(
      tx,
      'applicant_degrees',
      people.flatMap(({ id, graduate, total, made }) =>
        graduate
          ? [
              {
                applicant_id: id,
                position: 0,
                degree: 'bachelor',
                university: 'Nile Valley University',
                faculty: 'Computing',
                program: 'Computer Science',
                country_id: EGYPT,
                year: Number(made.birth_date.slice(0, 4)) + 22,
                percentage: (Math.round((total / 320) * 10_000) / 100).toFixed(2),
              },
            ]
          : [],
      ),
    )
  },
)
