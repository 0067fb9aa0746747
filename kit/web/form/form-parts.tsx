import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Fields } from '#kit/contract/field.ts'
import type { Section } from '#kit/contract/resource.ts'
import { StepLink } from '../feedback/step.tsx'
import { Submit } from '../feedback/submit.tsx'
import { TypedToConfirm, wantedFor } from '../feedback/weight.tsx'
import { useLabel, useT } from '../i18n/index.ts'
import { Field } from './field.tsx'
import { CONFIRMED } from './use-filling.ts'
import type { Filling, FormProps } from './use-filling.ts'
import css from './form.module.css'

/** What is wrong, field by field; each leads there, and what was refused to the step that unblocks it. */
export function Summary({
  filling: { open, summary, focusField },
  onLeave,
}: {
  filling: Filling
  onLeave: (() => void) | undefined
}) {
  const t = useT('kit-screens')
  if (!open.length) return null
  return (
    <div className={css.summary} ref={summary} tabIndex={-1} role="alert">
      <p>{t('form_wrong', { count: open.length })}</p>
      <ul>
        {open.map((w, i) => (
          <li key={i}>
            {w.name ? (
              <button type="button" onClick={() => focusField(w.name!)}>
                {w.label}
              </button>
            ) : null}
            {w.name ? ': ' : ''}
            {w.text} {w.problem && <StepLink problem={w.problem} onLeave={onLeave} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Fields in their sections. */
export function Sections({
  filling: { isVisible, now },
  sections,
  fields,
  firstId,
}: {
  filling: Filling
  sections: readonly Section[]
  fields: Fields
  /** Begins the id of each section. */
  firstId: string
}) {
  const say = useLabel()
  return sections.map((section, i) => (
    <fieldset className={css.section} key={i} id={`${firstId}-${i}`}>
      {section.title[0] && <legend>{say(section.title)}</legend>}
      {section.text && <p className={css.sectionText}>{say(section.text)}</p>}
      <div className={css.grid}>
        {section.fields
          .filter((name) => fields[name] && isVisible(name, now))
          .map((name) => (
            <Field key={name} name={name} />
          ))}
      </div>
    </fieldset>
  ))
}

/** The sections by name, beside a long form, with how much is wrong in each. */
export function SectionIndex({
  filling: { errorsIn },
  sections,
  firstId,
}: {
  filling: Filling
  sections: readonly Section[]
  firstId: string
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  return (
    <nav aria-label={t('sections')} style={{ position: 'sticky', insetBlockStart: 84 }}>
      <ul className={css.index}>
        {sections.map((section, i) => {
          const errors = errorsIn(section.fields)
          return (
            <li key={i}>
              <button
                type="button"
                onClick={() => document.getElementById(`${firstId}-${i}`)?.scrollIntoView({ block: 'start' })}
              >
                <span>{say(section.title)}</span>
                {errors > 0 && (
                  <span className={css.indexErrors} aria-label={t('form_wrong', { count: errors })}>
                    {errors}
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** The number or name that is typed before something heavy. */
export function Confirmed({ filling: { weight, confirmed, confirm, form } }: { filling: Filling }) {
  if (!weight || wantedFor(weight) === null) return null
  return (
    <div data-field={CONFIRMED}>
      <TypedToConfirm of={weight} value={confirmed} error={form.errors[CONFIRMED]} onChange={confirm} />
    </div>
  )
}

/** Buttons at the end of a dialog. */
export function DialogButtons({
  filling: { busy, canSave, submit, missing, save },
  props,
}: {
  filling: Filling
  props: FormProps
}) {
  const t = useT('kit-screens')
  return (
    <div className={css.buttons}>
      {props.onCancel && (
        <Button variant="default" onClick={props.onCancel} disabled={busy}>
          {t('cancel')}
        </Button>
      )}
      {props.beside}
      {!props.disabled &&
        props.also?.map((one) => (
          <Button
            key={one.label}
            variant="default"
            disabled={busy}
            onClick={() => void save(undefined, undefined, one)}
          >
            {one.label}
          </Button>
        ))}
      {!props.disabled && (
        <Submit
          type="submit"
          loading={busy}
          color={props.danger ? 'red' : undefined}
          missing={[!canSave && t('nothing_changed'), ...missing]}
        >
          {submit ?? t('save')}
        </Submit>
      )}
    </div>
  )
}

/** How much is changed, and Save, while something is. */
export function SaveBar({
  filling: { busy, canSave, changes, discard, submit },
  props,
}: {
  filling: Filling
  props: FormProps
}) {
  const t = useT('kit-screens')
  if (!canSave && !busy) return null
  return (
    <section className={`${css.bar} no-print`} data-save-bar aria-label={t('unsaved_changes')}>
      <span className={css.barText} aria-live="polite">
        {changes > 0 ? t('changes', { count: changes }) : ''}
      </span>
      {props.onCancel && changes === 0 && (
        <Button variant="default" onClick={props.onCancel} disabled={busy}>
          {t('cancel')}
        </Button>
      )}
      {changes > 0 && (
        <Button variant="default" onClick={discard} disabled={busy}>
          {t('discard')}
        </Button>
      )}
      {!props.disabled && (
        <Button type="submit" loading={busy} leftSection={<IconCheck size={16} aria-hidden />}>
          {submit ?? t('save')}
        </Button>
      )}
    </section>
  )
}
