import { dayOf } from '#kit/contract/day.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Label, PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { tableFile } from '#kit/server/resource/transfer.ts'
import type { Equivalence } from './equivalence.contract.ts'
import { LINE_HEADINGS, creditedOf, printedLines } from './lines.server.ts'
import type { PrintedLine } from './lines.server.ts'

type Names = Parameters<typeof nameIn>[0]

/** What the paper says of a transfer. */
interface Decision {
  readonly student: Names & { readonly code?: string | null | undefined }
  /** It is somebody who applies. */
  readonly applies?: boolean
  /** Program and faculty, or the institution, that is left. */
  readonly from: readonly Names[]
  readonly to: readonly Names[]
  readonly bylaw: Names
  readonly term: Names
  /** null: nothing is executed yet; the paper says that it is a draft. */
  readonly executed_at: string | null
  readonly lines: readonly Equivalence[]
}

/** The equivalence decision of a transfer on paper: each course, what it counts as, and the totals. */
export function decisionPaper(ctx: Ctx, decision: Decision, lang: PaperLanguage): Promise<FileResult> {
  const say = (label: Label): string => inLanguage(label, lang)
  const names = (all: readonly Names[]) =>
    all
      .map((one) => nameIn(one, lang))
      .filter(Boolean)
      .join(' · ')
  const { hours } = creditedOf(decision.lines)
  const title = say(
    decision.executed_at === null
      ? ['Equivalence of courses (draft)', 'معادلة مقررات (مسودة)']
      : ['Equivalence of courses', 'قرار معادلة مقررات'],
  )
  return tableFile(
    ctx,
    {
      title,
      name: 'Equivalent.pdf',
      lang,
      facts: [
        {
          label: say(decision.applies ? ['Applicant', 'المتقدم'] : ['Student', 'الطالب']),
          value: `${nameIn(decision.student, lang)} ${decision.student?.code ?? ''}`.trim(),
        },
        { label: say(['From', 'من']), value: names(decision.from) },
        { label: say(['To', 'إلى']), value: names(decision.to) },
        { label: say(['Bylaw', 'اللائحة']), value: nameIn(decision.bylaw, lang) ?? '' },
        { label: say(['Term', 'الفصل الدراسي']), value: nameIn(decision.term, lang) ?? '' },
        ...(decision.executed_at === null
          ? []
          : [{ label: say(['Executed on', 'تاريخ التنفيذ']), value: dayOf(decision.executed_at) }]),
        { label: say(['Hours credited', 'الساعات المحتسبة']), value: String(hours) },
      ],
      columns: LINE_HEADINGS.map(([name, label, type]) => ({
        header: say(label),
        type,
        text: (line: PrintedLine) => line[name],
      })),
      rows: printedLines(decision.lines, lang),
    },
    'pdf',
  )
}
