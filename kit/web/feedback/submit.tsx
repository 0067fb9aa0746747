import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ComponentPropsWithoutRef } from 'react'
import { useT } from '../i18n/catalogue.ts'
import css from './submit.module.css'

/** What fields stand in together with their button. */
const SCOPE = '[role="dialog"], form, main'
const CONTROL = 'input:not([type="hidden"]):not([hidden]), textarea, select, [contenteditable="true"], button'

/** The control below a label with this text, near a button. */
function controlOf(near: HTMLElement, label: string): HTMLElement | null {
  const scope = near.closest(SCOPE) ?? document
  for (const one of scope.querySelectorAll<HTMLElement>('label, legend')) {
    if (!one.textContent.trim().startsWith(label)) continue
    const named = one instanceof HTMLLabelElement ? one.control : null
    const found = named ?? one.parentElement?.querySelector<HTMLElement>(CONTROL)
    if (found) return found
  }
  return scope.querySelector<HTMLElement>(`:is(input, textarea, select)[aria-label="${CSS.escape(label)}"]`)
}

/** Marks the controls whose labels are told, and takes the mark from all others that this button marked. */
function mark(near: HTMLElement, labels: readonly string[], marked: Set<HTMLElement>): void {
  for (const control of marked) control.removeAttribute('aria-invalid')
  marked.clear()
  for (const label of labels) {
    const control = controlOf(near, label)
    if (!control) continue
    control.setAttribute('aria-invalid', 'true')
    marked.add(control)
  }
}

/**
 * The button that sends what was filled in. It is never grey: pressed while something is missing it says what, marks those
 * fields, and takes the keyboard to the first.
 *
 * @param props.missing labels of the fields that are still empty, or a sentence where no field is meant; `false` is fine
 * @example <Submit loading={busy} missing={[why.trim().length < 3 && t('why')]} onClick={() => void ask()}>{t('ask')}</Submit>
 */
export function Submit({
  missing,
  onClick,
  ...button
}: ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, 'disabled' | 'color' | 'style'> & {
    readonly missing: readonly (string | false | null | undefined)[]
  }) {
  const t = useT('kit')
  const own = useRef<HTMLButtonElement>(null)
  const marked = useRef(new Set<HTMLElement>())
  const [pressed, setPressed] = useState(false)
  const lacking = missing.filter((one): one is string => typeof one === 'string' && one !== '')
  const told = pressed ? lacking : []
  const key = told.join('\n')
  useEffect(() => {
    if (own.current) mark(own.current, key ? key.split('\n') : [], marked.current)
  }, [key, own, marked])
  const go = (label: string) => {
    const control = own.current && controlOf(own.current, label)
    control?.scrollIntoView({ block: 'center' })
    control?.focus({ preventScroll: true })
  }
  return (
    <>
      {told.length > 0 && (
        <div className={css.missing} role="alert">
          <p>{t('still_missing')}</p>
          <ul>
            {told.map((label) => (
              <li key={label}>
                <button type="button" onClick={() => go(label)}>
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Button
        {...button}
        ref={own}
        onClick={(event) => {
          if (!lacking.length) return onClick?.(event)
          event.preventDefault()
          setPressed(true)
          // Once it is told, so that a screen reader says what is missing before it says where the keyboard is.
          const [first] = lacking
          requestAnimationFrame(() => go(first!))
        }}
      />
    </>
  )
}
