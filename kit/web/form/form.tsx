import { Suspense, useEffect, useId } from 'react'
import { useT } from '../i18n/index.ts'
import { ConflictDialog } from './conflict.tsx'
import { DraftOffer, useDraft } from './draft.tsx'
import { Confirmed, DialogButtons, SaveBar, SectionIndex, Sections, Summary } from './form-parts.tsx'
import { FormContext } from './form-state.ts'
import { useFilling, type Filling, type FormProps } from './use-filling.ts'
import css from './form.module.css'

export { Field } from './field.tsx'
export { useFormSet, useFormValue, useFormValues } from './form-state.ts'
export type { FormProps } from './use-filling.ts'

/** Keeps what is typed, and offers what was begun earlier. */
function Drafting({ name, filling: { state, changes, fill, afterSent } }: { name: string; filling: Filling }) {
  const typed = state.values.use()
  const draft = useDraft(name, changes > 0 ? typed : null, fill)
  useEffect(() => afterSent(draft.sent))
  return <DraftOffer of={draft} />
}

/** A form over fields of the contract: see look.md "Form". */
export function Form<Answer = unknown>(props: FormProps<Answer>) {
  const { bar = 'page' } = props
  const t = useT('kit-screens')
  const filling = useFilling(props)
  const { state, box, save, conflict, busy, choose, closeConflict, fields } = filling
  const sections = props.sections ?? [{ title: ['', ''] as const, fields: Object.keys(fields) }]
  const withIndex = !props.children && !props.aside && sections.length >= 4
  const firstId = useId()
  const Buttons = bar === 'dialog' ? DialogButtons : SaveBar
  return (
    <FormContext value={state}>
      <form
        ref={box}
        className={css.form}
        data-index={withIndex || undefined}
        data-aside={props.aside ? true : undefined}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // A dialog within a form is beneath it for React alone.
          event.stopPropagation()
          void save()
        }}
      >
        {props.draft !== undefined && (
          <Suspense>
            <Drafting name={props.draft} filling={filling} />
          </Suspense>
        )}
        <Summary filling={filling} onLeave={props.onCancel} />
        {props.disabled && <p className={css.readOnly}>{t('form_read_only')}</p>}
        <div className={css.sections}>
          {props.children ?? <Sections filling={filling} sections={sections} fields={fields} firstId={firstId} />}
          {props.below}
          <Confirmed filling={filling} />
        </div>
        {props.aside && <aside className={css.aside}>{props.aside}</aside>}
        {withIndex && <SectionIndex filling={filling} sections={sections} firstId={firstId} />}
        <Buttons filling={filling} props={props as FormProps} />
      </form>
      {conflict && (
        <ConflictDialog conflict={conflict} fields={fields} busy={busy} onChoose={choose} onClose={closeConflict} />
      )}
    </FormContext>
  )
}
