/** How far an application is: of the pages that ask for something. */
import { FIELDS_OF_TAB, type ApplicationTab } from '../words.contract.ts'

interface Told {
  readonly values: Readonly<Record<string, unknown>>
  readonly tabs: readonly { readonly key: ApplicationTab; readonly done: boolean }[]
  readonly admission: {
    readonly declarations: readonly unknown[]
    readonly documents: readonly { readonly is_required: boolean; readonly file: unknown }[]
  }
}
const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && !value.length)

/** Whether anything was given on a page, or had to be. A page that may stay empty and is empty is not done: it is not asked. */
function isAsked({ key, done }: Told['tabs'][number], { values, admission }: Told): boolean {
  if (!done) return true
  if (key === 'Declaration') return admission.declarations.length > 0
  if (key === 'documents') return admission.documents.some((one) => one.is_required || one.file !== null)
  // A fee that is paid, or none: what is paid is seen on its page.
  if (key === 'payment') return false
  return FIELDS_OF_TAB[key].some((name) => isGiven(values[name]))
}

/** Pages that are done, and all that have something to say. */
export function pagesDone(application: Told): { readonly done: number; readonly all: number } {
  const asked = application.tabs.filter((one) => isAsked(one, application))
  return { done: asked.filter((one) => one.done).length, all: asked.length }
}
