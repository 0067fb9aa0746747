import { useState } from 'react'
import { useT } from '../i18n/catalogue.ts'

/**
 * How much is to be written, for forms that place their inputs themselves: told beside the field, and checked when it is left.
 * @example <Textarea label={t('why')} value={why} {...useLeast(why, 3)} … />
 */
export function useLeast(
  value: string,
  least: number,
): { readonly description: string; readonly error: string | undefined; readonly onBlur: () => void } {
  const t = useT('kit-screens')
  const [left, setLeft] = useState(false)
  const written = value.trim().length
  const rule = t('least_letters', { count: least })
  return {
    description: rule,
    // Nothing is asked for before somebody wrote something: what is empty waits for sending.
    error: left && written > 0 && written < least ? rule : undefined,
    onBlur: () => setLeft(true),
  }
}

/** How much of something has to be typed to find it. @example <Asked rule={atLeast(2)} … /> */
export function useAtLeast(): (least: number) => (typed: string) => string | null {
  const t = useT('kit-screens')
  return (least) => (typed) => (typed.trim().length < least ? t('least_letters', { count: least }) : null)
}
