/** The grid of an offering's marks, its sheet in and out, its paper and its scheme. */
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Access, PaperLanguage } from '#kit/contract/index.ts'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { handle, type Ctx, type FileResult } from '#kit/server/base/context.ts'
import { renderListPdf } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { writeSheet, type WriteColumn } from '#kit/server/sheets/index.ts'
import { paperLang, demandSome } from '#kit/server/resource/transfer.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { sql } from 'kysely'
import { controlStatusTexts } from '#areas/common/academics/control.rules.ts'
import { controlFlow } from '../control/steps.server.ts'
import { checkItems } from '../marks/marks.server.ts'
import type { SchemeItem } from '../marks/mark.contract.ts'
import { ATTEMPTS, RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import { computeGrades } from './compute.server.ts'
import { gradeCalls, type CellChange, type Grid, type GridRow, type SchemeCategory } from './grades.contract.ts'
import { signatureOf } from '../signing/sign.server.ts'
import { enterMarks, requireCells, writeMarks } from './marks.server.ts'
import {
  schemeJson,
  readOffering,
  rowOf,
  type EntriesRead,
  entriesColumns,
  gradeEntriesOf,
  readRows,
  readGrid,
  lockForMarks,
  statusData,
} from './read-grades.server.ts'

const LOOK = ['enter_marks', 'export_grades', 'access_control', 'import_grades'] as const

async function save(ctx: Ctx, offering_id: number, cells: readonly CellChange[]) {
  const asked = [...new Set(cells.map((cell) => cell.registration_id))]
  return ctx.write(async (tx) => {
    const locked = await lockForMarks(ctx, tx, offering_id, 'enter_marks', asked)
    const { scheme, capacity } = locked
    const completes = capacity === 'control'
    let { entries } = locked
    const states = new Map([...entries].map(([id, { status }]) => [id, status]))
    const values = requireCells(cells, { scheme, states }, (i) => `cells.${i}.mark`)
    let entered = await enterMarks(ctx, tx, values, entries, scheme, { completes })
    if (entered === 'moved') {
      const { rows } = await sql<EntriesRead>`select e.* from (select ${entriesColumns(offering_id, asked)}) e`.execute(
        tx,
      )
      entries = gradeEntriesOf(firstRow(rows))
      entered = await enterMarks(ctx, tx, values, entries, scheme, { completes })
    }
    if (typeof entered === 'object') {
      const rows = entered.rows
        .map(rowOf)
        .toSorted((a, b) => ((a.student.code ?? '') < (b.student.code ?? '') ? -1 : 1))
      return { saved: entered.saved, conflicts: [], rows }
    }
    const { saved, conflicts, touched } = await writeMarks(ctx, tx, values, { completes })
    const ids = [...new Set([...touched, ...conflicts.map((conflict) => conflict.registration_id)])]
    const { rows } = ids.length ? await readRows(tx, sql`r.id = any(${ids}::int[])`) : { rows: [] }
    return { saved, conflicts, rows }
  })
}

// --- Sheets ---------------------------------------------------------------------------------------------------------

export const HEADERS = {
  code: ['Student code', 'كود الطالب'],
  name: ['Name', 'الاسم'],
  group: ['Group', 'المجموعة'],
  state: ['State', 'الحالة'],
  total: ['Total', 'المجموع'],
  letter: ['Grade', 'التقدير'],
} as const satisfies Record<string, Label>
export const columnHeader = (category: SchemeCategory, lang: PaperLanguage): string =>
  `${lang === 'ar' ? category.name_local : category.name} (${trimHundredths(parseHundredths(category.max) ?? 0)})`
const nameOf = (record: { name: string; name_local?: string | null }, lang: PaperLanguage): string =>
  lang === 'ar' ? (record.name_local ?? record.name) : record.name
const stateText = (row: GridRow, lang: PaperLanguage): string => {
  const state = row.main === 'Registered' ? undefined : RESULT_STATES.find((one) => one.value === row.main)
  const attempt = row.attempt && row.attempt !== 'Fresh' ? ATTEMPTS.find((one) => one.value === row.attempt) : undefined
  return [state, attempt].flatMap((one) => (one ? [inLanguage(one.label, lang)] : [])).join(lang === 'ar' ? '، ' : ', ')
}

/** The letter of a result, or by marks the name of its rating. */
const resultName = ({ bylaws }: Pick<Grid, 'bylaws'>, row: GridRow, lang: PaperLanguage): string | null => {
  const rating = bylaws[row.bylaw_id]?.marks?.ratings.find((one) => one.code === row.letter)
  return rating ? nameOf(rating, lang) : row.letter
}

/** `{course code} {term name} {offering id} Grades {date}`. */
const nameOfFile = ({ offering }: Pick<Grid, 'offering'>): string =>
  fileName('xlsx', offering.course.code, offering.term.name, String(offering.id), 'Grades', dayOf())

async function exportSheet(ctx: Ctx, id: number, kind: 'marks' | 'template'): Promise<FileResult> {
  const grid = await readGrid(ctx, id, ['export_grades', 'import_grades'])
  demandSome(grid.rows)
  const lang = paperLang(ctx)
  const filled = kind === 'marks'
  const columns: WriteColumn[] = [
    { header: HEADERS.code[lang === 'ar' ? 1 : 0], key: 'code', type: 'text' },
    { header: HEADERS.name[lang === 'ar' ? 1 : 0], key: 'name', type: 'text' },
    { header: HEADERS.group[lang === 'ar' ? 1 : 0], key: 'group', type: 'number' },
    { header: HEADERS.state[lang === 'ar' ? 1 : 0], key: 'state', type: 'text' },
    ...grid.scheme.map((category): WriteColumn => ({
      header: columnHeader(category, lang),
      key: `mark${category.id}`,
      type: filled ? 'decimal' : 'text',
      note: inLanguage(['A number, or A for absent', 'رقم، أو A للغائب'], lang),
    })),
    ...(filled
      ? ([
          { header: HEADERS.total[lang === 'ar' ? 1 : 0], key: 'total', type: 'decimal' },
          { header: HEADERS.letter[lang === 'ar' ? 1 : 0], key: 'letter', type: 'text' },
        ] as WriteColumn[])
      : []),
  ]
  const rows = (filled ? grid.rows : grid.rows.filter((row) => row.writable)).map((row) => ({
    code: row.student.code,
    name: nameOf(row.student, lang),
    group: row.group,
    state: stateText(row, lang),
    ...(filled &&
      Object.fromEntries(grid.scheme.map((category) => [`mark${category.id}`, row.marks[category.id]?.mark]))),
    total: row.total === null ? null : trimHundredths(parseHundredths(row.total) ?? 0),
    letter: resultName(grid, row, lang),
  }))
  const content = await writeSheet({
    sheets: [{ name: grid.offering.course.code ?? 'Grades', direction: lang === 'ar' ? 'rtl' : 'ltr', columns, rows }],
  })
  return { name: nameOfFile(grid), type: 'xlsx', content }
}

// --- Paper ----------------------------------------------------------------------------------------------------------

/** The marks of an offering as a list to sign. */
export async function gradesPdf(ctx: Ctx, id: number, lang: PaperLanguage, access: Access): Promise<FileResult> {
  const grid = await readGrid(ctx, id, access)
  const { offering, scheme, rows } = grid
  const say = (en: string, ar: string): string => inLanguage([en, ar], lang)
  const shown = (text: string | null | undefined): string =>
    text == null ? '' : text === 'A' ? say('Abs', 'غ') : trimHundredths(parseHundredths(text) ?? 0)
  const graded = rows.filter((row) => row.letter !== null)
  const passed = graded.filter((row) => row.passed === true).length
  const signed = await signatureOf(ctx.db, id)
  const content = await renderListPdf({
    title: say('Student grades', 'كشف درجات الطلاب'),
    lang,
    university: await universityHead(ctx),
    facts: [
      { label: say('Course', 'المقرر'), value: `${offering.course.code} ${nameOf(offering.course, lang)}` },
      { label: say('Offering', 'الطرح'), value: offering.code },
      { label: say('Term', 'الفصل الدراسي'), value: nameOf(offering.term, lang) },
      ...(offering.faculty ? [{ label: say('Faculty', 'الكلية'), value: nameOf(offering.faculty, lang) }] : []),
      {
        label: say('Taught by', 'القائم بالتدريس'),
        value:
          offering.instructors.map((instructor) => nameOf(instructor, lang)).join(lang === 'ar' ? '، ' : ', ') || '–',
      },
      {
        label: say('Status', 'الحالة'),
        value: inLanguage(
          [controlStatusTexts[offering.control_status].en, controlStatusTexts[offering.control_status].ar],
          lang,
        ),
      },
      { label: say('Students', 'عدد الطلاب'), value: String(rows.length) },
      {
        label: say('Passed', 'الناجحون'),
        value: graded.length ? `${passed} (${Math.round((passed * 100) / graded.length)}%)` : '–',
      },
      { label: say('Printed', 'تاريخ الطباعة'), value: dayOf() },
      // On paper it stands where nobody changes it: what was signed until then can be told from it.
      ...(signed ? [{ label: say('Signature', 'التوقيع الإلكتروني'), value: signed }] : []),
    ],
    columns: [
      { label: '#', align: 'end' },
      { label: say('Code', 'الكود'), align: 'start' },
      { label: say('Name', 'الاسم'), align: 'start' },
      ...scheme.map((category) => ({ label: columnHeader(category, lang), align: 'center' as const })),
      { label: say('Total', 'المجموع'), align: 'center' },
      { label: say('Grade', 'التقدير'), align: 'center' },
      { label: say('Remarks', 'ملاحظات'), align: 'start' },
    ],
    rows: rows.map((row, i) => [
      String(i + 1),
      row.student.code ?? '',
      nameOf(row.student, lang),
      ...scheme.map((category) => shown(row.marks[category.id]?.mark)),
      shown(row.total),
      resultName(grid, row, lang) ?? '',
      stateText(row, lang),
    ]),
  })
  return { name: 'offeringStudentGrades.pdf', type: 'pdf', content }
}

// --- Scheme ---------------------------------------------------------------------------------------------------------

/** Gives an offering its scheme: a named one, or categories of its own. Once a mark is entered it stays. */
async function setScheme(
  ctx: Ctx,
  id: number,
  sent: { mark_id?: number | null; items?: SchemeItem[]; version?: number },
) {
  return ctx.write(async (tx) => {
    const row = await readOffering(ctx, tx, id, ['edit_offering', 'edit_mark'], sql`for update of o`)
    if (row.removed) throw refuse(409, 'removed_record')
    if (sent.version !== undefined && sent.version !== row.offering.version)
      throw refuse(409, 'changed_meanwhile', { version: row.offering.version })
    const { rows: entered } = await sql<{ count: number }>`select count(*)::int as count from registration_marks m
      join offering_marks om on om.id = m.offering_mark_id where om.offering_id = ${id}`.execute(tx)
    if (entered[0]!.count) throw refuse(409, 'marks_entered', { count: entered[0]!.count })
    if (row.offering.control_status !== 'Draft')
      throw refuse(409, 'control_status', statusData(row.offering.control_status))
    let items = sent.items
    if (!items) {
      if (sent.mark_id == null) throw refuse(422, 'scheme_choice', undefined, 'mark_id')
      const found = await sql<SchemeItem>`select i.mark_category_id, i.max::text as max from marks m
          cross join scaled_scheme(m.id, offering_maximum(${id})) i
        where m.id = ${sent.mark_id} and m.removed_at is null order by i.position, i.mark_category_id`.execute(tx)
      if (!found.rows.length) throw refuse(422, 'reference_missing', undefined, 'mark_id')
      items = found.rows
    }
    const { rows: bylaws } = await sql<{ id: number }>`
      select distinct p.bylaw_id as id from programs p where p.id in (
        select program_id from offering_programs where offering_id = ${id}
        union select pc.program_id from program_courses pc join offerings o on o.course_id = pc.course_id where o.id = ${id})`.execute(
      tx,
    )
    await checkItems(
      tx,
      items,
      bylaws.map((bylaw) => bylaw.id),
      parseHundredths(row.maximum) ?? 0,
    )
    const rows = JSON.stringify(
      items.map(({ mark_category_id, max }, position) => ({ mark_category_id, max, position })),
    )
    await sql`delete from offering_marks where offering_id = ${id}
      and mark_category_id <> all (${items.map((item) => item.mark_category_id)}::int[])`.execute(tx)
    await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
      select ${id}::int, mark_category_id, max, position from jsonb_to_recordset(${rows}::jsonb) as n(mark_category_id int, max numeric, position int)
      on conflict (offering_id, mark_category_id) do update set max = excluded.max, position = excluded.position`.execute(
      tx,
    )
    const { rows: changed } = await sql<{ id: number; version: number; scheme: SchemeCategory[] }>`
      update offerings o set mark_id = ${sent.items ? null : sent.mark_id} where o.id = ${id} returning o.id, o.version, ${schemeJson('o')} as scheme`.execute(
      tx,
    )
    // States such as absent have grades without any mark.
    await computeGrades(tx, [id])
    return { data: changed[0]! }
  })
}

export const gradeHandlers = [
  handle(gradeCalls.grid, async (ctx, { params }) => ({ data: await readGrid(ctx, params.id, LOOK) })),
  handle(gradeCalls.save, (ctx, { body }) => save(ctx, body.offering_id, body.cells)),
  handle(gradeCalls.exportSheet, (ctx, { params }) => exportSheet(ctx, params.id, params.x)),
  handle(gradeCalls.submit, (ctx, { params }) =>
    ctx.write(async (tx) => {
      const { id, version, to } = await controlFlow.take(ctx, params.id, 'submit')
      const data = { id, version, control_status: to }
      const { rows } = await sql<{
        code: string
      }>`select c.code from offerings o join courses c on c.id = o.course_id where o.id = ${params.id}`.execute(tx)
      const text = inLanguage(['Marks of {course} are submitted', 'سُلمت درجات {course}'], params.lang)
      return { data, message: text.replace('{course}', firstRow(rows).code) }
    }),
  ),
  handle(gradeCalls.exportPdf, (ctx, { params }) => gradesPdf(ctx, params.id, params.lang, LOOK)),
  handle(gradeCalls.setScheme, (ctx, { params, body }) => setScheme(ctx, params.id, body)),
]
