/** The research plan of a postgraduate program: which stages lead to the degree, in which order, and when. */
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'

/** What a stage is, in the order in which they usually stand. */
export const researchStages = [
  'coursework',
  'qualifying_exam',
  'proposal',
  'seminar',
  'publication',
  'defence',
] as const
export type ResearchStageKind = (typeof researchStages)[number]

/** A stage; semesters are those of the program, counted from 1, null = at any time. */
export type ResearchStage = {
  stage: ResearchStageKind
  /** How often it is asked for: seminars held, papers published. */
  times: number
  earliest_semester: number | null
  latest_semester: number | null
}

export type ResearchCode =
  | 'research_undergraduate'
  | 'research_twice'
  | 'research_times'
  | 'research_missing'
  | 'research_defence_last'
  | 'research_order'
  | 'research_window'
  | 'research_beyond'
  | 'research_too_early'

/** Texts of what can be wrong with a research plan. Stages are named by their line, which the reader sees. */
export const researchTexts: Record<ResearchCode, Bilingual> = {
  research_undergraduate: {
    en: 'Only a postgraduate program has a research plan',
    ar: 'الخطة البحثية لبرامج الدراسات العليا وحدها',
  },
  research_twice: {
    en: 'This stage already stands in line {first}: say there how often it is asked for',
    ar: 'هذه المرحلة مذكورة في السطر {first}: حدد فيه عدد المرات',
  },
  research_times: { en: 'This stage is passed once', ar: 'تُجتاز هذه المرحلة مرة واحدة' },
  research_missing: {
    en: 'A research plan has a proposal and ends with a defence',
    ar: 'يلزم في الخطة البحثية مقترح بحثي ومناقشة تُختم بها',
  },
  research_defence_last: { en: 'The defence is the last stage', ar: 'المناقشة آخر المراحل' },
  research_order: {
    en: 'This stage comes before line {line}: coursework, then the qualifying exam, then the proposal',
    ar: 'موضع هذه المرحلة قبل السطر {line}: المقررات ثم الامتحان التأهيلي ثم المقترح البحثي',
  },
  research_window: {
    en: 'The earliest semester {earliest} lies after the latest {latest}',
    ar: 'أول فصل ({earliest}) بعد آخر فصل ({latest})',
  },
  research_beyond: {
    en: 'Semester {semester} lies beyond the {semesters} semesters of the program',
    ar: 'الفصل {semester} خارج فصول البرنامج وعددها {semesters}',
  },
  research_too_early: {
    en: 'It must be over by semester {latest}, but line {line} before it begins in semester {earliest} at the earliest',
    ar: 'آخر موعد لها الفصل {latest}، والسطر {line} السابق لها لا يبدأ قبل الفصل {earliest}',
  },
}

const REPEATED: ReadonlySet<ResearchStageKind> = new Set(['seminar', 'publication'])
/** These follow each other in every degree; seminars and publications lie where the program wants them. */
const SEQUENCE: readonly ResearchStageKind[] = ['coursework', 'qualifying_exam', 'proposal']

/** Everything wrong with a research plan, each with the line it concerns; an empty plan is none, and sound. */
export function checkResearchPlan(
  stages: readonly ResearchStage[],
  program: { postgraduate: boolean; semesters: number },
): Problem<ResearchCode>[] {
  const problems: Problem<ResearchCode>[] = []
  if (stages.length === 0) return problems
  const add = (code: ResearchCode, index: number | null, part = '', data: Problem['data'] = {}) =>
    problems.push({ code, field: index === null ? 'research_plan' : `research_plan.${index}${part}`, data })
  if (!program.postgraduate) add('research_undergraduate', null)

  const first = new Map<ResearchStageKind, number>()
  /** The line before which nothing that follows can be over. */
  let begun: { line: number; semester: number } | null = null
  stages.forEach(({ stage, times, earliest_semester: earliest, latest_semester: latest }, index) => {
    const earlier = first.get(stage)
    if (earlier === undefined) first.set(stage, index)
    else add('research_twice', index, '.stage', { first: earlier + 1 })
    if (times > 1 && !REPEATED.has(stage)) add('research_times', index, '.times')
    if (stage === 'defence' && index < stages.length - 1) add('research_defence_last', index, '.stage')
    const after = stages.findIndex(
      (other, at) => at < index && SEQUENCE.includes(stage) && SEQUENCE.indexOf(other.stage) > SEQUENCE.indexOf(stage),
    )
    if (after >= 0) add('research_order', index, '.stage', { line: after + 1 })
    for (const part of ['earliest_semester', 'latest_semester'] as const) {
      const semester = stages[index]![part]
      if (semester !== null && semester > program.semesters)
        add('research_beyond', index, `.${part}`, { semester, semesters: program.semesters })
    }
    if (earliest !== null && latest !== null && earliest > latest)
      add('research_window', index, '.latest_semester', { earliest, latest })
    else if (latest !== null && begun !== null && latest < begun.semester)
      add('research_too_early', index, '.latest_semester', { latest, line: begun.line, earliest: begun.semester })
    if (earliest !== null && (begun === null || earliest > begun.semester))
      begun = { line: index + 1, semester: earliest }
  })
  if (!first.has('proposal') || !first.has('defence')) add('research_missing', null)
  return problems
}
