import { createHash } from 'node:crypto'
import { insertRows } from '#db/bulk.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, momentBefore, stepsTo, usersByEmail } from '#demo/part.ts'
import { fillFormNow } from '#kit/server/sheets/index.ts'
import { sql } from 'kysely'
import { computeReturn, keepFindings } from './filed/fill.server.ts'
import { returnFlow } from './filed/return.contract.ts'
import { BORDERED, drawBook, HEAD, TITLE, type DrawnCell, type DrawnSheet } from './templates/draw.server.ts'
import { openForm } from './templates/form.server.ts'

interface Faculty {
  readonly code: string
  readonly name: string
  readonly name_local: string
}
const LEVELS = [1, 2, 3, 4] as const
/** Students by faculty, level and gender, as ministries ask for them: one sheet in English, one in Arabic. */
function sheetOf(faculties: readonly Faculty[], rtl: boolean): DrawnSheet {
  const say = (en: string, ar: string) => (rtl ? ar : en)
  const last = faculties.length + 5
  const wide = (text: string): DrawnCell[] => [[text, TITLE]]
  const letter = (column: number) => String.fromCharCode(64 + column)
  return {
    name: say('Students', 'الطلاب'),
    rtl,
    merges: ['A1:J1', 'A2:J2', 'A3:J3', 'A4:A5', 'B4:C4', 'D4:E4', 'F4:G4', 'H4:I4', 'J4:J5'],
    rows: [
      wide(say('Ministry of Higher Education', 'وزارة التعليم العالي')),
      wide(say('Students by faculty, level and gender', 'الطلاب المقيدون حسب الكلية والفرقة والنوع')),
      wide('{{university}} · {{year}}'),
      [
        [say('Faculty', 'الكلية'), HEAD],
        ...LEVELS.flatMap((level): DrawnCell[] => [
          [say(`Level ${level}`, `المستوى ${level}`), HEAD],
          ['', HEAD],
        ]),
        [say('All', 'الإجمالي'), HEAD],
      ],
      [
        ['', HEAD],
        ...LEVELS.flatMap((): DrawnCell[] => [
          [say('Male', 'ذكور'), HEAD],
          [say('Female', 'إناث'), HEAD],
        ]),
        ['', HEAD],
      ],
      ...faculties.map(({ code, name, name_local }, i): DrawnCell[] => [
        rtl ? name_local : name,
        ...LEVELS.flatMap((level) =>
          ['male', 'female'].map((gender) => `{{students|faculty=${code}|level=${level}|gender=${gender}}}`),
        ),
        `{{students|faculty=${code}|sum=B${i + 6}:I${i + 6}}}`,
      ]),
      [
        [say('University', 'الجامعة'), HEAD],
        ...Array.from({ length: 9 }, (_, i): DrawnCell => [
          `=SUM(${letter(i + 2)}6:${letter(i + 2)}${last})`,
          BORDERED,
        ]),
      ],
    ],
  }
}

const REASON = 'Students of level 0 and of levels above 4 stand on another sheet of the ministry.'

export default demoPart(
  ['return_templates', 'return_template_editions', 'statistical_returns', 'return_findings'],
  ['students', 'users', 'years', 'terms', 'registrations', 'course_file_documents'],
  async (tx, demo) => {
    const registrar = (await usersByEmail(tx)).get(`registrar@${demo.university.domain}`) ?? null
    const { rows: faculties } = await sql<Faculty>`select f.code, f.name, f.name_local from faculties f
      where f.removed_at is null and exists (select from students s where s.faculty_id = f.id) order by f.code`.execute(
      tx,
    )
    const content = drawBook([sheetOf(faculties, false), sheetOf(faculties, true)])
    const { cells, sheets } = await openForm(content)
    const put: Uint8Array[] = []
    const keep = async (bytes: Uint8Array, name: string): Promise<number> => {
      put.push(bytes)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
      const [id] = await insertRows(
        tx,
        'files',
        [{ hash, ext: 'xlsx', mime, size: bytes.byteLength, name, created_by: null }],
        { returning: 'id' },
      )
      return id!
    }
    const [template] = await insertRows(
      tx,
      'return_templates',
      [
        {
          code: 'MOHE-STUDENTS',
          name: 'Students by faculty level and gender',
          name_local: 'الطلاب حسب الكلية والمستوى والنوع',
          authority: 'Ministry of Higher Education',
          threshold: 10,
        },
      ],
      { returning: 'id' },
    )
    const [edition] = await insertRows(
      tx,
      'return_template_editions',
      [
        {
          template_id: template,
          number: 1,
          file_id: await keep(content, 'MOHE-STUDENTS.xlsx'),
          cells,
          created_by: registrar,
        },
      ],
      { returning: 'id' },
    )
    const { rows: times } = await sql<{ year_id: number; term_id: number; before_id: number }>`
      select t.year_id, t.id as term_id, (select b.id from years b join years y on y.id = t.year_id where b.start_date < y.start_date
        order by b.start_date desc limit 1) as before_id from terms t where t.id = ${demo.current_terms.current_term}`.execute(
      tx,
    )
    const { year_id, term_id, before_id } = firstRow(times)
    /** A return with figures as they were then: a share of those of now. */
    const file = async (
      given: { year_id: number; term_id: number | null; replaces_id?: number },
      status: 'draft' | 'checked' | 'filed' | 'corrected',
      share: number,
      days: number,
      before: ReadonlyMap<string, number | null>,
    ) => {
      const { figures, found, values } = await computeReturn(tx, cells, given, before, 10)
      const then = figures.map((one) => ({ ...one, value: one.value === null ? null : Math.round(one.value * share) }))
      const number = new Map(then.map(({ sheet, cell, value }) => [`${sheet}!${cell}`, value]))
      const filled = values((name) => sheets.find((one) => one.name === name)?.rtl ?? false).map((one) => ({
        ...one,
        value: number.get(`${one.sheet}!${one.cell}`) ?? one.value,
      }))
      const at = momentBefore(days)
      const sent = status === 'filed' || status === 'corrected' ? { sent_at: at, sent_by: registrar } : {}
      const [id] = await insertRows(
        tx,
        'statistical_returns',
        [
          {
            template_id: template,
            edition_id: edition,
            ...given,
            figures: then,
            file_id: await keep(fillFormNow(content, filled), 'MOHE-STUDENTS.xlsx'),
            filled_at: at,
            filled_by: registrar,
            created_at: at,
          },
        ],
        { returning: 'id' },
      )
      await keepFindings(tx, id!, share === 1 ? found : found.filter(({ kind }) => kind === 'empty'))
      if (status !== 'draft') {
        await sql`update return_findings set reason = ${REASON}, accepted_by = ${registrar}::int, accepted_at = ${at} where return_id = ${id}`.execute(
          tx,
        )
        await sql`update statistical_returns set status = ${status}, sent_at = ${sent.sent_at ?? null}, sent_by = ${sent.sent_by ?? null}::int
          where id = ${id}`.execute(tx)
      }
      const step = { workflow: returnFlow.name, record_id: id!, at, actor_id: registrar }
      await insertRows(tx, 'step_history', [
        { ...step, action: 'begin', from_state: null, to_state: 'draft', reason: null },
        ...stepsTo(returnFlow as never, status).map((taken) => ({
          ...step,
          reason: taken.action === 'correct' ? 'Two programs of the faculty of science were counted twice.' : null,
          ...taken,
        })),
      ])
      return { id: id!, figures: new Map(then.map(({ key, value }) => [key, value])) }
    }
    const none = new Map<string, number | null>()
    const wrong = await file({ year_id: before_id, term_id: null }, 'corrected', 0.97, 330, none)
    const sent = await file({ year_id: before_id, term_id: null, replaces_id: wrong.id }, 'filed', 0.94, 320, none)
    await file({ year_id, term_id }, 'checked', 1, 6, none)
    await file({ year_id, term_id: null }, 'draft', 1, 2, sent.figures)
    return async (_db, storage) => {
      for (const bytes of put) await storage.put(Buffer.from(bytes))
    }
  },
)
