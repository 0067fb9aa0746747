import { createHash } from 'node:crypto'
import { followIds, insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { demoPart, momentBefore, stepsTo, usersByEmail } from '#demo/part.ts'
import { addDays } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { courseFileFlow } from './files/course-file.contract.ts'
import { figuresNow } from './reports/read.server.ts'

/** Code, names, where it comes from, of which courses; files at least; work of students; may be left out. */
const PARTS = [
  ['SYLLABUS', 'Syllabus as taught', 'توصيف المقرر كما دُرِّس', 'upload', 'all', 1, false, false],
  ['SPEC', 'Specification of the course', 'توصيف المقرر المعتمد', 'specification', 'all', 1, false, true],
  ['REPORT', 'Report of the offering', 'تقرير المقرر', 'report', 'all', 1, false, false],
  ['EXAM', 'Final exam with model answers', 'الامتحان النهائي ونموذج الإجابة', 'upload', 'all', 1, false, false],
  [
    'SAMPLES',
    'Best, middle and weakest work',
    'عينات من أفضل الأعمال ومتوسطها وأضعفها',
    'upload',
    'all',
    3,
    true,
    false,
  ],
  ['LAB', 'Laboratory sheets', 'أوراق المعمل', 'upload', 'laboratory', 1, false, false],
  ['MARKS', 'Published marks', 'الدرجات المعلنة', 'marks', 'all', 1, false, false],
  ['LISTS', 'Attendance lists', 'كشوف الحضور', 'attendance', 'all', 1, false, true],
  ['SLIDES', 'Slides and notes', 'العروض والمذكرات', 'upload', 'all', 1, false, true],
] as const
const QUESTIONS = [
  ['TAUGHT', 'What of the syllabus was not taught, and why?', 'ما الذي لم يُدرَّس من المقرر ولماذا؟', false],
  ['RESULTS', 'What do the results say?', 'ما دلالة النتائج؟', false],
  ['NEXT', 'What is done otherwise next time?', 'ما الذي سيتغير في المرة القادمة؟', false],
  ['NEEDS', 'What is missing: rooms, books, devices?', 'ما النواقص: قاعات أو كتب أو أجهزة؟', true],
] as const
const ANSWERS: readonly (readonly [code: string, answer: string])[] = [
  ['TAUGHT', 'All of it, but for the last chapter: one week fell to a holiday.'],
  ['RESULTS', 'Most students master the methods; the second question of the final exam was too long.'],
  ['NEXT', 'The last chapter moves before the mid-term exam.'],
]
const STATES = ['approved', 'accepted', 'submitted', 'not_accepted', 'not_approved', 'draft'] as const
const WHY = {
  not_accepted: 'The samples of work show names. Black them out, please.',
  not_approved: 'The report does not say what becomes of the low share of passes.',
} as const

/** A page with a frame: what a scan looks like from afar. */
const PAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABuCAAAAACVCsusAAAAjElEQVR42u2asQnAMAwENWJGytgpUwZc2KBIIf8+DXAY/tCrcBzFEw3Aq3AAAgQIcA08E1MOHLk5IClv5uEYewrY9UJS3szDJ/YXwK4XkrKzhx5FjzYe+1C96NHGqZd1ix5t/O5DxaJHG3EPTYoebSz2oXzRo41RLwsXPdrY3YdfFD0pAwQ4A/78r8gN7kxQFZg7eIwAAAAASUVORK5CYII=',
  'base64',
)

interface Taught {
  readonly id: number
  readonly user_id: number | null
  readonly laboratory: boolean
}
/** Offerings of the last finished term: one of each faculty in turn. */
async function offeringsOf(tx: Tx, term: number, most: number): Promise<Taught[]> {
  const { rows } = await sql<Taught>`
    select o.id, (select i.user_id from offering_instructors m join instructors i on i.id = m.instructor_id
        where m.offering_id = o.id and i.user_id is not null order by m.instructor_id limit 1) as user_id, c.laboratory_hours > 0 as laboratory
    from offerings o join courses c on c.id = o.course_id
    where o.term_id = ${term} and o.removed_at is null and o.linked_offering_id is null and o.control_status in ('Published', 'Frozen')
    order by row_number() over (partition by o.faculty_id order by o.id), o.faculty_id limit ${most}`.execute(tx)
  return rows
}

export default demoPart(
  [
    'course_file_parts',
    'offering_report_questions',
    'course_files',
    'course_file_documents',
    'course_file_comments',
    'offering_reports',
    'offering_report_answers',
  ],
  [
    'offerings',
    'registrations',
    'meeting_occurrences',
    'attendance',
    'users',
    'archive_entries',
    // Their files come first.
    'name_changes',
    'questionnaires',
  ],
  async (tx, demo) => {
    const quality = (await usersByEmail(tx)).get(`quality@${demo.university.domain}`) ?? null
    await insertRows(
      tx,
      'course_file_parts',
      PARTS.map(([code, name, name_local, source, asked_of, min_files, names_hidden, is_optional], i) => ({
        id: i + 1,
        code,
        name,
        name_local,
        source,
        asked_of,
        min_files,
        names_hidden,
        is_optional,
        position: i + 1,
      })),
    )
    await followIds(tx, 'course_file_parts')
    await insertRows(
      tx,
      'offering_report_questions',
      QUESTIONS.map(([code, name, name_local, is_optional], i) => ({
        id: i + 1,
        code,
        name,
        name_local,
        is_optional,
        position: i + 1,
      })),
    )
    await followIds(tx, 'offering_report_questions')
    const { rows: terms } = await sql<{ id: number }>`select t.id from terms t join offerings o on o.term_id = t.id
      where o.control_status in ('Published', 'Frozen') group by t.id order by t.start_date desc limit 1`.execute(tx)
    const taught = terms[0] ? await offeringsOf(tx, terms[0].id, 24) : []
    const figures = await figuresNow(
      tx,
      taught.map((one) => one.id),
    )
    const hash = createHash('sha256').update(PAGE).digest('hex')
    const bytes = { hash, ext: 'png', mime: 'image/png', size: PAGE.byteLength }
    for (const [i, one] of taught.entries()) {
      const status = STATES[i % STATES.length] ?? 'draft'
      const at = momentBefore(taught.length - i + 8)
      const [id] = await insertRows(
        tx,
        'course_files',
        [
          {
            offering_id: one.id,
            status,
            due_on: addDays(demo.today, status === 'draft' ? 5 - 3 * (i % 4) : -7),
            created_at: at,
          },
        ],
        { returning: 'id' },
      )
      const whole = status !== 'draft'
      const parts = PARTS.flatMap(([code, , , source, asked_of, min_files, names_hidden, optional], place) =>
        source === 'upload' && !optional && (asked_of === 'all' || one.laboratory) && (whole || code === 'SYLLABUS')
          ? Array.from({ length: min_files }, (_, n) => ({
              part_id: place + 1,
              names_hidden,
              name: `${code.toLowerCase()}-${n + 1}.png`,
            }))
          : [],
      )
      const files = await insertRows(
        tx,
        'files',
        parts.map(({ name }) => ({ ...bytes, name, created_by: one.user_id })),
        { returning: 'id' },
      )
      await insertRows(
        tx,
        'course_file_documents',
        parts.map(({ part_id, names_hidden }, n) => ({
          course_file_id: id,
          part_id,
          file_id: files[n],
          names_hidden,
          created_by: one.user_id,
          created_at: at,
        })),
      )
      if (whole) {
        const [report] = await insertRows(
          tx,
          'offering_reports',
          [{ course_file_id: id, figures: figures.get(one.id), filled_by: one.user_id, filled_at: at }],
          { returning: 'id' },
        )
        await insertRows(
          tx,
          'offering_report_answers',
          ANSWERS.map(([code, answer]) => ({
            report_id: report,
            answer,
            question_id: QUESTIONS.findIndex(([known]) => known === code) + 1,
          })),
        )
      }
      if (status === 'not_accepted' || status === 'submitted') {
        const settled = status === 'submitted' ? { settled_at: at, settled_by: one.user_id } : {}
        const text = 'The names of the students can be read on the second sample.'
        const [thread] = await insertRows(
          tx,
          'course_file_comments',
          [{ course_file_id: id, part_id: 5, text, created_by: quality, created_at: at, ...settled }],
          { returning: 'id' },
        )
        if (status === 'submitted')
          await insertRows(tx, 'course_file_comments', [
            {
              course_file_id: id,
              reply_to: thread,
              text: 'It is another picture now.',
              created_by: one.user_id,
              created_at: at,
            },
          ])
      }
      const step = { workflow: courseFileFlow.name, record_id: id!, at, actor_id: quality }
      await insertRows(tx, 'step_history', [
        { ...step, reason: null, action: 'begin', from_state: null, to_state: 'draft' },
        ...stepsTo(courseFileFlow as never, status).map((taken) => ({
          ...step,
          reason: taken.to_state in WHY ? WHY[taken.to_state as keyof typeof WHY] : null,
          actor_id: taken.action === 'submit' ? one.user_id : quality,
          ...taken,
        })),
      ])
    }
    // Those of this term have begun: nobody has handed in anything yet.
    const begun = await sql<{ id: number }>`
      insert into course_files (offering_id, due_on) select o.id, w.end_date + 21 from offerings o join terms w on w.id = o.term_id
      where o.term_id = ${demo.current_terms.current_term} and o.removed_at is null and o.linked_offering_id is null order by o.id limit 40
      returning id`.execute(tx)
    await insertRows(
      tx,
      'step_history',
      begun.rows.map(({ id }) => ({
        workflow: courseFileFlow.name,
        record_id: id,
        at: momentBefore(4),
        actor_id: quality,
        reason: null,
        action: 'begin',
        from_state: null,
        to_state: 'draft',
      })),
    )
    return async (_db, storage) => {
      await storage.put(PAGE)
    }
  },
)
