import { f, type Fields } from '#kit/contract/field.ts'
import type { Label } from '#kit/contract/words.ts'
import type { ServiceField } from '../kinds/kind.contract.ts'
import { SERVICE_FILES, SERVICE_LONG_TEXT, SERVICE_TEXT, type ServiceAnswers } from './service.rules.ts'

/** Largest number that an own field takes. */
const MOST = 1_000_000_000

function fieldOf({ name, name_local, hint, hint_local, type, required, options }: ServiceField): Fields[string] {
  const label: Label = [name, name_local]
  const more = { required, ...(hint && { help: [hint, hint_local ?? hint] as const }) }
  switch (type) {
    case 'long_text':
      return f.longText(label, { ...more, max: SERVICE_LONG_TEXT })
    case 'number':
      return f.number(label, { ...more, places: 2, min: -MOST, max: MOST })
    case 'date':
      return f.date(label, more)
    case 'choice':
      return f.choice(
        label,
        options.map((one) => ({ value: one.value, label: [one.name, one.name_local] as const })),
        more,
      )
    case 'file':
      return f.file(label, { ...more, accept: SERVICE_FILES })
    case 'text':
      return f.text(label, { ...more, max: SERVICE_TEXT })
  }
}

/** What a service asks, as fields of a form; the form takes them as any other. */
export const formFields = (fields: readonly ServiceField[]): Fields =>
  Object.fromEntries(fields.map((field) => [field.key, fieldOf(field)]))

/** The answers among what a form holds. */
export const answersIn = (fields: readonly ServiceField[], typed: Readonly<Record<string, unknown>>): ServiceAnswers =>
  Object.fromEntries(
    fields.flatMap(({ key }) => {
      const given = typed[key]
      return given === undefined || given === null || given === '' ? [] : [[key, given as string | number]]
    }),
  )
