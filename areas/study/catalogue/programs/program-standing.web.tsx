import { useFormValue } from '#kit/web/form/form.tsx'
import { WhoseStanding } from '../standing.web.tsx'

/** A number as typed; undefined where it is none. */
const numberOf = (typed: unknown): number | undefined => {
  const number = typed === null || typed === undefined || typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

/** Whose standing other hours of the degree and other weeks of training would change. */
export function ProgramStanding({
  row,
}: {
  row: { id: number; min_credit_hours: number | null; min_training_weeks: number | null }
}) {
  const typed = useFormValue('min_training_weeks')
  const weeks = typed === '' || typed === null ? null : numberOf(typed)
  const hours = numberOf(useFormValue('min_credit_hours'))
  const edit = {
    ...(hours !== undefined &&
      hours <= 1000 &&
      hours !== row.min_credit_hours && { hours: Math.round(hours * 100) / 100 }),
    ...(weeks !== undefined &&
      weeks !== row.min_training_weeks &&
      (weeks ?? 0) <= 300 && { training_weeks: weeks && Math.round(weeks) }),
  }
  return <WhoseStanding of="program" id={row.id} edit={Object.keys(edit).length ? edit : null} />
}
