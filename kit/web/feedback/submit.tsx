import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ComponentPropsWithoutRef } from 'react'
import { useT } from '../i18n/catalogue.ts'
import css from './submit.module.css'

/** What fields may stand in together with their button, the nearest first. */
const SCOPES = ['form', '[role="dialog"]', 'main', 'body']
const CONTROL =
  ':is(input:not([type="hidden"], [hidden]), textarea, select, [contenteditable="true"], button):not(:disabled)'

const said = (element: Element): string => element.textContent.trim()

/** The controls whose names begin with a label, those that are called exactly so first. */
function* controlsOf(scope: Element, label: string): Generator<HTMLElement | null | undefined> {
  const names = [...scope.querySelectorAll<HTMLElement>('label, legend')].filter((one) => said(one).startsWith(label))
  for (const name of names.toSorted((a, b) => said(a).length - said(b).length))
    yield (name instanceof HTMLLabelElement && name.control) || name.parentElement?.querySelector<HTMLElement>(CONTROL)
  for (const group of scope.querySelectorAll<HTMLElement>('[aria-labelledby]')) {
    const by = document.getElementById(group.getAttribute('aria-labelledby')!)
    if (by && said(by).startsWith(label)) yield group.querySelector<HTMLElement>(CONTROL)
  }
  for (const one of scope.querySelectorAll<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`))
    yield one.matches(CONTROL) ? one : one.querySelector<HTMLElement>(CONTROL)
}

/** The control with this label, as near to a button as there is one. */
function controlOf(near: HTMLElement, label: string): HTMLElement | null {
  for (const scope of SCOPES)
    for (const control of (near.closest(scope) && controlsOf(near.closest(scope)!, label)) ?? [])
      if (control && control !== near && !control.closest(`.${css.missing}`)) return control
  return null
}

/**
 * The button that sends what was filled in. It is never grey: pressed while something is missing it says what, marks those
 * fields, and takes the keyboard to the first.
 *
 * @param props.onCancel of a dialog: stands beside it as Cancel
 * @param props.missing labels of the fields that are still empty, as they stand on the screen, or sentences where no field
 * is meant (a state, a preview that was not looked at); `false` is fine
 * @example <Submit loading={busy} missing={[why.trim().length < 3 && t('why')]} onClick={() => void ask()}>{t('ask')}</Submit>
 */
export function Submit({
  missing,
  onCancel,
  onClick,
  ...button
}: ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, 'disabled' | 'color' | 'style'> & {
    readonly missing: readonly (string | false | null | undefined)[]
    readonly onCancel?: () => void
  }) {
  const t = useT('kit')
  const own = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState(0)
  const [fields, setFields] = useState<ReadonlySet<string>>(new Set())
  const lacking = [...new Set(missing.filter((one): one is string => typeof one === 'string' && one !== ''))]
  const key = pressed ? lacking.join('\n') : ''
  const told = key ? key.split('\n') : []
  // Marked as long as it is missing. A mark that the field had of its own stays.
  useLayoutEffect(() => {
    if (!own.current || !key) return
    const found = key.split('\n').flatMap((label) => {
      const control = controlOf(own.current!, label)
      return control ? [{ label, control }] : []
    })
    setFields(new Set(found.map((one) => one.label)))
    const marked = found.map((one) => one.control).filter((control) => control.ariaInvalid !== 'true')
    for (const control of marked) control.setAttribute('aria-invalid', 'true')
    return () => {
      for (const control of marked) control.removeAttribute('aria-invalid')
    }
  }, [key, own])
  const go = (label: string) => {
    const control = own.current && controlOf(own.current, label)
    control?.scrollIntoView({ block: 'center' })
    control?.focus({ preventScroll: true })
    return Boolean(control)
  }
  // Once it is told, so that a screen reader says what is missing before it says where the keyboard is.
  useEffect(() => {
    if (!pressed) return
    const frame = requestAnimationFrame(() => {
      if (!lacking.some(go)) box.current?.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
    // Only when it was pressed: while somebody types the keyboard stays.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/memo-dependencies
  }, [pressed])
  const send = (
    <Button
      {...button}
      ref={own}
      onClick={(event) => {
        setPressed(lacking.length ? pressed + 1 : 0)
        if (lacking.length) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
  const [asked, sentences] = [told.filter((one) => fields.has(one)), told.filter((one) => !fields.has(one))]
  return (
    <>
      {told.length > 0 && (
        <div ref={box} className={css.missing} role="alert">
          {sentences.map((one) => (
            <p key={one}>{one}</p>
          ))}
          {asked.length > 0 && (
            <>
              <p>{t('still_missing')}</p>
              <ul>
                {asked.map((label) => (
                  <li key={label}>
                    <button type="button" onClick={() => go(label)}>
                      {label}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      {onCancel ? (
        <div className={css.pair}>
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          {send}
        </div>
      ) : (
        send
      )}
    </>
  )
}
