/** Papers of theses: the whole file, minutes of the discussion, letters to the committee, and the decision with a number. */
import { fileURLToPath } from 'node:url'
import { dayOf, timeOf } from '#kit/contract/day.ts'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { renderPaper, servePapers } from '#kit/server/papers/papers.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { mayThesis, thesisReach } from '../thesis/reach.server.ts'
import { thesisFlow } from '../thesis/flow.contract.ts'
import { thesisCalls as calls } from '../thesis/whole.contract.ts'
import { THESIS_DEGREES, THESIS_JOB_WORDS, THESIS_RESULTS } from '../thesis/words.contract.ts'
import { thesisPapers } from './paper.contract.ts'

registerTemplate('thesis', fileURLToPath(new URL('./thesis.typ', import.meta.url)))

type Lang = 'ar' | 'en'
const WORDS = {
  thesis: ['Thesis', 'رسالة علمية'],
  student: ['Student', 'الطالب'],
  code: ['Student code', 'كود الطالب'],
  degree: ['Degree', 'الدرجة العلمية'],
  faculty: ['Faculty', 'الكلية'],
  department: ['Department', 'القسم'],
  status: ['Status', 'الحالة'],
  registered_on: ['Registered on', 'تاريخ التسجيل'],
  approved_on: ['Approved on', 'تاريخ الاعتماد'],
  granted_on: ['Granted on', 'تاريخ المنح'],
  team: ['Supervisors and committee', 'الإشراف ولجنة الحكم'],
  name: ['Name', 'الاسم'],
  job: ['Job', 'الدور'],
  from: ['University', 'الجامعة'],
  decisions: ['Decisions', 'القرارات'],
  decision: ['Decision', 'القرار'],
  council: ['Council', 'المجلس'],
  session: ['Session', 'الجلسة'],
  number: ['Number', 'رقم القرار'],
  date: ['Date', 'التاريخ'],
  abstract: ['Abstract', 'الملخص'],
  minutes: ['Minutes of the discussion', 'محضر مناقشة رسالة'],
  room: ['Room', 'القاعة'],
  time: ['Time', 'الوقت'],
  result: ['Result', 'النتيجة'],
  changes_due: ['Changes due', 'موعد التعديلات'],
  letter: ['Invitation to a discussion', 'دعوة لحضور مناقشة رسالة'],
  dean: ['Dean', 'عميد الكلية'],
  leader: ['Main supervisor', 'المشرف الرئيس'],
  verify: ['Verify this paper by its code', 'تحقق من هذه الوثيقة برمزها'],
  printed: ['Printed', 'تاريخ الطباعة'],
} as const satisfies Record<string, Label>
const KINDS: Readonly<Record<string, Label>> = {
  approve: ['Approval', 'اعتماد'],
  change: ['Change', 'تعديل'],
  grant: ['Granting of the degree', 'منح الدرجة'],
}

interface Names {
  readonly name: string
  readonly name_local: string
}
interface Printed {
  id: number
  title: string
  title_local: string
  abstract: string | null
  abstract_local: string | null
  degree: string
  status: string
  registered_on: string | null
  approved_on: string | null
  granted_on: string | null
  student: Names & { code: string }
  faculty: Names
  department: Names
  team: (Names & { job: string; university: string | null })[]
  decisions: { kind: string; council: string; session: string; number: string; decided_on: string }[]
  discussion: {
    starts_at: string
    room: string
    result: string | null
    changes_due: string | null
    minutes: string | null
  } | null
}
async function printedOf(ctx: Ctx, id: number): Promise<Printed> {
  const { rows } =
    await sql<Printed>`select t.id, t.title, t.title_local, t.abstract, t.abstract_local, t.degree, t.status, t.registered_on::text,
      t.approved_on::text, t.granted_on::text, json_build_object('name', s.name, 'name_local', s.name_local, 'code', s.code) as student,
      json_build_object('name', f.name, 'name_local', f.name_local) as faculty, json_build_object('name', d.name, 'name_local', d.name_local) as department,
      coalesce((select json_agg(json_build_object('name', coalesce(i.name, x.name), 'name_local', coalesce(i.name_local, x.name_local), 'job', m.job,
          'university', x.university) order by m.position) from thesis_members m left join instructors i on i.id = m.instructor_id
        left join external_examiners x on x.id = m.examiner_id where m.thesis_id = t.id and m.until_date is null), '[]') as team,
      coalesce((select json_agg(json_build_object('kind', r.kind, 'council', r.council, 'session', r.session, 'number', r.number, 'decided_on', r.decided_on) order by r.id)
        from thesis_decisions r where r.thesis_id = t.id and r.undone_at is null), '[]') as decisions,
      (select json_build_object('starts_at', lower(r.during), 'room', l.code, 'result', r.result, 'changes_due', r.changes_due, 'minutes', r.minutes)
        from thesis_discussions r join locations l on l.id = r.location_id where r.thesis_id = t.id and r.cancelled_at is null order by r.id desc limit 1) as discussion
    from theses t join students s on s.id = t.student_id join faculties f on f.id = s.faculty_id join departments d on d.id = t.department_id
    where t.id = ${id} and t.removed_at is null and ${mayThesis(ctx, 'show_thesis')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const pick = (lang: Lang) => (of: Names) => (lang === 'ar' ? of.name_local : of.name)
const worded = (words: readonly { value: string; label: Label }[], value: string | null, lang: Lang) => {
  const label = words.find((one) => one.value === value)?.label
  return label ? inLanguage(label, lang) : (value ?? '–')
}
const say = (word: keyof typeof WORDS, lang: Lang) => inLanguage(WORDS[word], lang)

function teamPart(of: Printed, lang: Lang) {
  return {
    title: say('team', lang),
    columns: (['name', 'job', 'from'] as const).map((word) => say(word, lang)),
    rows: of.team.map((one) => [pick(lang)(one), worded(THESIS_JOB_WORDS, one.job, lang), one.university ?? '–']),
  }
}
/** The cover with team and decisions in one language. */
function cover(of: Printed, lang: Lang) {
  const fact = (word: keyof typeof WORDS, value: string | null) => ({ label: say(word, lang), value: value ?? '–' })
  const abstract = lang === 'ar' ? of.abstract_local : of.abstract
  return {
    title: lang === 'ar' ? of.title_local : of.title,
    below: say('thesis', lang),
    facts: [
      fact('student', pick(lang)(of.student)),
      fact('code', of.student.code),
      fact('degree', worded(THESIS_DEGREES, of.degree, lang)),
      fact('faculty', pick(lang)(of.faculty)),
      fact('department', pick(lang)(of.department)),
      fact('status', worded(thesisFlow.states, of.status, lang)),
      fact('registered_on', of.registered_on),
      fact('approved_on', of.approved_on),
      fact('granted_on', of.granted_on),
    ],
    parts: [
      teamPart(of, lang),
      {
        title: say('decisions', lang),
        columns: (['decision', 'council', 'session', 'number', 'date'] as const).map((word) => say(word, lang)),
        rows: of.decisions.map((one) => [
          inLanguage(KINDS[one.kind]!, lang),
          one.council,
          one.session,
          one.number,
          one.decided_on,
        ]),
      },
      ...(abstract ? [{ title: say('abstract', lang), text: abstract, columns: [], rows: [] }] : []),
    ],
    signatures: [say('leader', lang), say('dean', lang)],
  }
}
const discussionFacts = (of: Printed, lang: Lang) => {
  const held = of.discussion!
  const fact = (word: keyof typeof WORDS, value: string | null) => ({ label: say(word, lang), value: value ?? '–' })
  return [
    fact('student', pick(lang)(of.student)),
    fact('degree', worded(THESIS_DEGREES, of.degree, lang)),
    fact('department', pick(lang)(of.department)),
    fact('date', dayOf(held.starts_at)),
    fact('time', timeOf(held.starts_at)),
    fact('room', held.room),
  ]
}
const render = async (ctx: Ctx, lang: Lang, title: string, pages: readonly object[]) =>
  renderPaper({
    template: 'thesis',
    data: { lang, title, note: `${say('printed', lang)}: ${dayOf()}`, university: await universityHead(ctx), pages },
  })

async function thesisFile(ctx: Ctx, id: number, lang: Lang) {
  const of = await printedOf(ctx, id)
  const other: Lang = lang === 'ar' ? 'en' : 'ar'
  const content = await render(ctx, lang, lang === 'ar' ? of.title_local : of.title, [
    cover(of, lang),
    cover(of, other),
  ])
  return { name: 'thesis.pdf', type: 'pdf' as const, content }
}

export const thesisPaperHandlers: readonly Handled[] = [
  ...servePapers(thesisPapers, {
    table: 'theses',
    scope: (ctx, access) => scopeCondition(ctx, access, thesisReach(ctx)),
    kinds: {
      thesis_decision: async (ctx, id, lang) => {
        const of = await printedOf(ctx, id)
        const last = of.decisions.at(-1)
        if (!last) throw refuse(409, 'thesis_decision_none')
        const { council, session, number, decided_on } = last
        const title = inLanguage(thesisPapers.kinds.thesis_decision.label, lang)
        const university = await universityHead(ctx)
        const decision = { name: KINDS[last.kind]![0], name_local: KINDS[last.kind]![1] }
        return {
          holder: { name: of.student.name, name_local: of.student.name_local },
          facts: {
            title: { name: of.title, name_local: of.title_local },
            decision,
            council,
            session,
            number,
            decided_on,
          },
          compose: (proof, issued) => ({
            template: 'thesis',
            created: issued.at,
            data: {
              lang,
              title,
              serial: proof.serial,
              university,
              proof: { ...proof, caption: say('verify', lang) },
              pages: [
                {
                  title,
                  below: lang === 'ar' ? of.title_local : of.title,
                  facts: [
                    { label: say('student', lang), value: pick(lang)(of.student) },
                    { label: say('degree', lang), value: worded(THESIS_DEGREES, of.degree, lang) },
                    { label: say('decision', lang), value: pick(lang)(decision) },
                    { label: say('council', lang), value: council },
                    { label: say('session', lang), value: session },
                    { label: say('number', lang), value: number },
                    { label: say('date', lang), value: decided_on },
                  ],
                  parts: [teamPart(of, lang)],
                  signatures: [say('dean', lang)],
                },
              ],
            },
          }),
        }
      },
    },
  }),
  handle(calls.print, (ctx, { params: { id }, query: { lang = 'ar' } }) => thesisFile(ctx, id, lang)),
  handle(calls.printOwn, async (ctx, { query: { id, lang = 'ar' } }) => {
    if (id) return thesisFile(ctx, id, lang)
    const { rows } = await sql<{
      id: number
    }>`select t.id from theses t where t.student_id = ${ctx.actor?.student_id ?? null}::int and t.removed_at is null
      order by t.status in ('granted', 'ended'), t.id desc limit 1`.execute(ctx.db)
    if (!rows[0]) throw refuse(409, 'thesis_none')
    return thesisFile(ctx, rows[0].id, lang)
  }),
  handle(calls.printMinutes, async (ctx, { params: { id }, query: { lang = 'ar' } }) => {
    const of = await printedOf(ctx, id)
    if (!of.discussion?.result) throw refuse(409, 'thesis_no_minutes')
    const { result, changes_due, minutes } = of.discussion
    const title = say('minutes', lang)
    const content = await render(ctx, lang, title, [
      {
        title,
        below: lang === 'ar' ? of.title_local : of.title,
        facts: [
          ...discussionFacts(of, lang),
          { label: say('result', lang), value: worded(THESIS_RESULTS, result, lang) },
          ...(changes_due ? [{ label: say('changes_due', lang), value: changes_due }] : []),
        ],
        parts: [...(minutes ? [{ text: minutes, columns: [], rows: [] }] : []), teamPart(of, lang)],
        signatures: of.team
          .filter(({ job }) => job === 'committee')
          .slice(0, 5)
          .map(pick(lang)),
      },
    ])
    return { name: 'minutes.pdf', type: 'pdf', content }
  }),
  handle(calls.printLetters, async (ctx, { params: { id }, query: { lang = 'ar' } }) => {
    const of = await printedOf(ctx, id)
    if (!of.discussion || of.discussion.result) throw refuse(409, 'thesis_not_scheduled')
    const title = say('letter', lang)
    const pages = of.team
      .filter(({ job }) => job === 'committee')
      .map((one) => ({
        title,
        below: [pick(lang)(one), one.university].filter(Boolean).join(' · '),
        facts: discussionFacts(of, lang),
        parts: [
          {
            title: lang === 'ar' ? of.title_local : of.title,
            text: (lang === 'ar' ? of.abstract_local : of.abstract) ?? '',
            columns: [],
            rows: [],
          },
        ],
        signatures: [say('dean', lang)],
      }))
    if (!pages.length) throw refuse(409, 'thesis_committee_small', { count: 0, least: 1 })
    return { name: 'letters.pdf', type: 'pdf', content: await render(ctx, lang, title, pages) }
  }),
]
