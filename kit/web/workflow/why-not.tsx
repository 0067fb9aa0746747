import type { Problem } from '#kit/contract/schema.ts'
import { problemText } from '../i18n/catalogue.ts'
import css from './workflow.module.css'

/** Why an action of a record is not possible now, where its buttons would stand; nothing where it is possible or nobody's. */
export function WhyNot({
  row,
  ability,
}: {
  row: { readonly refused?: Readonly<Record<string, Problem>> | undefined }
  ability: string
}) {
  const problem = row.refused?.[ability]
  return problem ? <p className={css.text}>{problemText(problem)}</p> : null
}
