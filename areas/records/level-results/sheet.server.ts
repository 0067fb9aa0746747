/** The result sheet of a level (كشف النتيجة): for the officers who approve it, and as it is posted. */
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { divideRounded, parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { showResult } from './list.server.ts'
import { levelScope } from './reach.server.ts'
import type { KeptCourse } from './preview.server.ts'
import { OUTCOMES } from './words.contract.ts'

registerTemplate('level-sheet', fileURLToPath(new URL('./sheet.typ', import.meta.url)))

interface Sat {
  code: string
  name: string
  name_local: string
  outcome: string
  rating: string | null
  marks: string
  maximum: string
  grace: string
  grace_on_sum: string
  courses: KeptCourse[]
}
interface Named {
  name: string
  name_local: string
}

/** Marks of a whole sheet and what stands on its edge, before it is a file. */
async function readSheet(ctx: Ctx, id: number) {
  const head = await showResult(ctx, id)
  const { rows } = await sql<{
    faculty: Named | null
    students: Sat[]
    courses: (Named & { id: number; code: string; maximum: number })[]
    signatures: { title: string; title_local: string; name: string | null; name_local: string | null }[]
  }>`
    select (select json_build_object('name', f.name, 'name_local', f.name_local) from faculties f where f.id = b.faculty_id) as faculty,
      (select coalesce(json_agg(json_build_object('code', s.code, 'name', s.name, 'name_local', s.name_local, 'outcome', l.outcome,
          'rating', l.rating, 'marks', l.marks::text, 'maximum', l.maximum::text, 'grace', l.grace::text, 'grace_on_sum', l.grace_on_sum::text,
          'courses', l.courses) order by s.code), '[]')
        from level_result_students l join students s on s.id = l.student_id where l.level_result_id = r.id) as students,
      (select coalesce(json_agg(json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local, 'maximum', k.x) order by k.carried, c.code), '[]')
        from (select c, max(o) as o, max(x) as x, bool_and(k) as carried from level_result_students l
          cross join jsonb_to_recordset(l.courses) as q(c int, o int, x int, k boolean) where l.level_result_id = r.id group by 1) k
        ${sql.raw(joinCourse('k.c', 'k.o'))}) as courses,
      (select coalesce(json_agg(json_build_object('title', p.title, 'title_local', p.title_local, 'name', u.name, 'name_local', u.name_local) order by p.position), '[]')
        from signing_positions p left join users u on u.id = p.user_id where p.chain = 'level_result') as signatures
    from level_results r join bylaws b on b.id = r.bylaw_id
    where r.id = ${id} and ${levelScope(ctx, 'access_level_result')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { head, ...rows[0] }
}

/**
 * The sheet as PDF or XLSX. For approval it shows the marks earned with grace marks beside them, of everybody; for
 * announcement the marks that count, and only of results that are announced.
 *
 * @throws {Refusal} 409 `level_not_announced`
 */
export async function resultSheet(
  ctx: Ctx,
  id: number,
  lang: PaperLanguage,
  { purpose, format }: { purpose: 'approval' | 'announcement'; format: 'pdf' | 'xlsx' },
): Promise<FileResult> {
  const { head, faculty, students, courses, signatures } = await readSheet(ctx, id)
  const announced = purpose === 'announcement'
  if (announced && head.status !== 'announced') throw refuse(409, 'level_not_announced')
  const say = (en: string, ar: string): string => inLanguage([en, ar], lang)
  const nameOf = (one: Named): string => inLanguage([one.name, one.name_local], lang)
  const ratings = new Map(head.ratings.map(({ rating }) => [rating.code, nameOf(rating)]))
  const outcomes = new Map<string, string>(OUTCOMES.map((one) => [one.value, inLanguage(one.label, lang)]))
  const states: Record<string, string> = { absent: say('Abs', 'غ'), excused: say('Exc', 'ع'), missing: '–' }
  const shown = (course: KeptCourse | undefined): string => {
    if (!course) return ''
    if (course.m === null) return states[course.s] ?? say('Abs', 'غ')
    const failed = course.s !== 'passed' && !course.g ? '*' : ''
    if (!course.g) return `${trimHundredths(course.m)}${failed}`
    return announced ? trimHundredths(course.m + course.g) : `${trimHundredths(course.m)} + ${trimHundredths(course.g)}`
  }
  const own = (one: Sat, course: KeptCourse) => (course.k ? 0 : course.g)
  const totals = (one: Sat) => {
    const added =
      one.courses.reduce((sum, course) => sum + own(one, course), 0) + (parseHundredths(one.grace_on_sum) ?? 0)
    const [marks, maximum] = [(parseHundredths(one.marks) ?? 0) + added, parseHundredths(one.maximum) ?? 0]
    return { marks, maximum, share: maximum ? divideRounded(marks * 10_000, maximum) : 0 }
  }
  const title = say(
    announced ? 'Result of the level' : 'Result sheet for approval',
    announced ? 'نتيجة المستوى' : 'كشف النتيجة للاعتماد',
  )
  const columns = [
    { label: '#', align: 'end' as const },
    { label: say('Code', 'الكود'), align: 'start' as const },
    { label: say('Name', 'الاسم'), align: 'start' as const },
    ...courses.map((course) => ({
      label: `${course.code} / ${trimHundredths(course.maximum)}`,
      align: 'center' as const,
    })),
    { label: say('Total', 'المجموع'), align: 'center' as const },
    ...(announced ? [] : [{ label: say('Grace', 'رأفة'), align: 'center' as const }]),
    { label: '%', align: 'center' as const },
    { label: say('Rating', 'التقدير'), align: 'center' as const },
    { label: say('Result', 'النتيجة'), align: 'start' as const },
  ]
  const rows = students.map((student, i) => {
    const by = new Map(student.courses.map((course) => [course.c, course]))
    const { marks, maximum, share } = totals(student)
    return [
      String(i + 1),
      student.code,
      nameOf(student),
      ...courses.map((course) => shown(by.get(course.id))),
      `${trimHundredths(marks)} / ${trimHundredths(maximum)}`,
      ...(announced ? [] : [Number(student.grace) ? trimHundredths(parseHundredths(student.grace) ?? 0) : '']),
      trimHundredths(share),
      student.rating ? (ratings.get(student.rating) ?? student.rating) : '',
      outcomes.get(student.outcome) ?? student.outcome,
    ]
  })
  const count = (label: string, n: number) => [
    label,
    String(n),
    students.length ? `${trimHundredths(divideRounded(n * 10_000, students.length))} %` : '–',
  ]
  const statistics = [
    {
      title: say('Outcomes', 'النتائج'),
      columns: [say('Students', 'الطلاب'), '%'],
      rows: OUTCOMES.flatMap(({ value }) => {
        const n = head.outcomes.find((one) => one.outcome === value)?.after ?? 0
        return n ? [count(outcomes.get(value)!, n)] : []
      }),
    },
    {
      title: say('Ratings', 'التقديرات'),
      columns: [say('Students', 'الطلاب'), '%'],
      rows: head.ratings.flatMap(({ rating, after }) => (after ? [count(nameOf(rating), after)] : [])),
    },
    {
      title: say('Courses', 'المقررات'),
      columns: [say('Sat', 'حضر'), say('Passed', 'نجح'), '%'],
      rows: courses.map((course) => {
        const all = students.flatMap((student) => student.courses.filter((kept) => kept.c === course.id))
        const sat = all.filter((one) => one.m !== null).length
        const passed = all.filter((one) => one.s === 'passed' || one.g > 0).length
        return [
          `${course.code} ${nameOf(course)}`,
          String(sat),
          String(passed),
          all.length ? `${trimHundredths(divideRounded(passed * 10_000, all.length))} %` : '–',
        ]
      }),
    },
  ]
  const name = fileName(
    format,
    title,
    nameOf(head),
    nameOf({ name: head.year.name, name_local: head.year.name_local ?? head.year.name }),
  )
  if (format === 'xlsx') {
    const content = await writeSheet({
      sheets: [
        {
          name: say('Result', 'النتيجة'),
          direction: lang === 'ar' ? 'rtl' : 'ltr',
          columns: columns.map(({ label }, i) => ({ header: label, key: String(i), type: 'text' as const })),
          rows: rows.map((row) => Object.fromEntries(row.map((cell, i) => [String(i), cell]))),
        },
        ...statistics.map((part) => ({
          name: part.title,
          direction: lang === 'ar' ? ('rtl' as const) : ('ltr' as const),
          columns: ['', ...part.columns].map((header, i) => ({
            header: header || part.title,
            key: String(i),
            type: 'text' as const,
          })),
          rows: part.rows.map((row) => Object.fromEntries(row.map((cell, i) => [String(i), cell]))),
        })),
      ],
    })
    return { name, type: 'xlsx', content, rows: rows.length }
  }
  const widths = columns.map((column, i) =>
    Math.min(
      28,
      Math.max(
        4,
        ...column.label.split(' ').map((word) => word.length),
        ...rows.slice(0, 200).map((row) => row[i]!.length),
      ),
    ),
  )
  const content = await renderPaper({
    template: 'level-sheet',
    created: new Date(),
    tags: rows.length <= 500,
    data: {
      lang,
      title,
      note: announced ? null : say('For the control only', 'خاص بالكنترول'),
      university: {
        ...(await universityHead(ctx)),
        ...(faculty && { unit: faculty.name, unit_local: faculty.name_local }),
      },
      facts: [
        { label: say('Level', 'المستوى'), value: nameOf(head) },
        {
          label: say('Academic year', 'العام الجامعي'),
          value: inLanguage([head.year.name, head.year.name_local ?? head.year.name], lang),
        },
        {
          label: say('Bylaw', 'اللائحة'),
          value: inLanguage([head.bylaw.name, head.bylaw.name_local ?? head.bylaw.name], lang),
        },
        { label: say('Students', 'عدد الطلاب'), value: String(students.length) },
        ...(head.rule && !announced
          ? [
              {
                label: say('Grace marks', 'درجات الرأفة'),
                value: say(
                  `decision ${head.rule.decision_number} of ${head.rule.decided_on}`,
                  `القرار ${head.rule.decision_number} بتاريخ ${head.rule.decided_on}`,
                ),
              },
            ]
          : []),
        { label: say('Printed', 'تاريخ الطباعة'), value: dayOf() },
      ],
      columns: columns.map((column, i) => ({ ...column, weight: widths[i]! + 2 })),
      rows,
      statistics,
      legend: [
        { sign: '*', text: say('failed', 'راسب') },
        { sign: states.absent!, text: say('absent', 'غائب') },
        { sign: states.excused!, text: say('absent with an excuse', 'غائب بعذر') },
        ...(announced ? [] : [{ sign: '+', text: say('grace marks', 'درجات رأفة') }]),
      ],
      signatures: signatures.map((signature) => ({
        title: inLanguage([signature.title, signature.title_local], lang),
        name: inLanguage([signature.name ?? '', signature.name_local ?? signature.name ?? ''], lang),
      })),
    },
  })
  return { name, type: 'pdf', content, rows: rows.length }
}
