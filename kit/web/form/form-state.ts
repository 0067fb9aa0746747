import { createContext, use, useSyncExternalStore } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import type { ErrorTexts } from '#kit/contract/errors.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import type { FieldInput } from '../fields/inputs.tsx'
import type { Store } from '../store.ts'
import { at } from './changes.ts'
import type { Values } from './changes.ts'

/** What fields know of the form that they stand in. */
export interface FormState {
  readonly form: UseFormReturnType<Values>
  readonly fields: Fields
  readonly values: Store<Values>
  readonly row: Readonly<Values> | null
  readonly inputs: Readonly<Record<string, FieldInput>>
  readonly locked: ReadonlySet<string>
  readonly lockedWhy: string
  readonly shown: Map<string, { label: string; field: Field }>
  readonly errors: ErrorTexts
  readonly check?:
    | ((values: Readonly<Values>) => readonly { readonly name: string; readonly text: string }[])
    | undefined
  readonly disabled: boolean
}
export const FormContext = createContext<FormState | null>(null)
export const useFormState = (): FormState => {
  const state = use(FormContext)
  if (!state) throw new Error('a Field stands outside a Form')
  return state
}

/** What is typed under a name, followed as it changes. */
export function useFormValue(name: string): unknown {
  const { values } = useFormState()
  return useSyncExternalStore(values.subscribe, () => at(values.get(), name))
}

/** All that is typed, followed as it changes. */
export function useFormValues(): Readonly<Values> {
  const { values } = useFormState()
  return useSyncExternalStore(values.subscribe, values.get)
}

/** Puts values into fields, as if they were typed: what follows from another field, what is taken up again. */
export function useFormSet(): (values: Readonly<Values>) => void {
  const { form } = useFormState()
  return (values) => {
    for (const [name, value] of Object.entries(values)) form.setFieldValue(name, value)
  }
}
