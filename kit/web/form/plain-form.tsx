import { PasswordInput, TextInput } from '@mantine/core'
import type { PasswordInputProps, TextInputProps } from '@mantine/core'
import { createContext, use, useEffect, useMemo, useRef, useState } from 'react'
import type { ComponentPropsWithRef, Ref } from 'react'
import { useT } from '../i18n/catalogue.ts'
import { afterPress } from './pressed.ts'

/** What is wrong with what was typed, in a sentence; null: nothing. */
type Rule = (value: string) => string | null
interface Told {
  readonly wrong: Readonly<Record<string, string>>
  /** Says how a field is checked; answers what ends that. */
  readonly asks: (name: string, rule: Rule) => () => void
  /** A field was left: what is wrong with it is told, unless it is empty. */
  readonly left: (name: string, value: string) => void
  readonly typed: (name: string) => void
}
const PlainContext = createContext<Told | null>(null)

/**
 * A small form of which nothing is kept: what is secret, sought or scanned. It behaves as `Form`: a field is checked when it
 * is left, what is wrong stands at it, and the keyboard goes to the first. It is small, so that signing in begins with it.
 * What is filled in and saved is a `Form`.
 *
 * @param props.send what is typed, by the names of the fields; called when nothing is wrong
 * @example <PlainForm busy={busy} send={({ email }) => void ask(email)}><Asked name="email" label={t('email')} /> … </PlainForm>
 */
export function PlainForm({
  send,
  busy,
  children,
  ...rest
}: Omit<ComponentPropsWithRef<'form'>, 'onSubmit' | 'noValidate'> & {
  readonly send: (typed: Readonly<Record<string, string>>) => void
  /** Something is under way: pressing again does nothing. */
  readonly busy?: boolean
}) {
  const rules = useRef(new Map<string, Rule>())
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const told = useMemo((): Omit<Told, 'wrong'> => {
    const without = (name: string) => (had: Readonly<Record<string, string>>) =>
      name in had ? Object.fromEntries(Object.entries(had).filter(([one]) => one !== name)) : had
    return {
      asks: (name, rule) => {
        rules.current.set(name, rule)
        return () => void rules.current.delete(name)
      },
      left: (name, value) => {
        const why = value.trim() === '' ? null : rules.current.get(name)?.(value)
        if (why) afterPress(() => setWrong((had) => ({ ...had, [name]: why })))
      },
      typed: (name) => setWrong(without(name)),
    }
  }, [])
  const value = useMemo(() => ({ ...told, wrong }), [told, wrong])
  return (
    <PlainContext value={value}>
      <form
        {...rest}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // A dialog within a form is beneath it for React alone.
          event.stopPropagation()
          if (busy) return
          const form = event.currentTarget
          const asked = [...rules.current].flatMap(([name, rule]) => {
            const input = inputOf(form, name)
            return input ? [{ name, input, why: rule(input.value) }] : []
          })
          const found = asked.filter((one) => one.why !== null)
          setWrong(Object.fromEntries(found.map(({ name, why }) => [name, why!])))
          // The first as they stand on the screen.
          const first = [...form.elements].find((one) => found.some(({ input }) => input === one))
          if (first instanceof HTMLElement) return first.focus()
          send(Object.fromEntries(asked.map(({ name, input }) => [name, input.value])))
        }}
      >
        {children}
      </form>
    </PlainContext>
  )
}

/** Looks like an address of mail. */
export const isAddress = (typed: string): boolean => /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(typed.trim())

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const input = form.elements.namedItem(name)
  return input instanceof HTMLInputElement ? input : null
}

/**
 * A field of a `PlainForm`. It must be filled in, unless `optional`.
 *
 * @param props.secret a password
 * @param props.rule what is wrong with what was typed; null: nothing
 */
export function Asked({
  secret,
  optional,
  rule,
  ...props
}: Omit<TextInputProps, 'error' | 'required' | 'name' | 'ref'> & {
  readonly name: string
  readonly secret?: boolean
  readonly optional?: boolean
  readonly rule?: Rule
  readonly ref?: Ref<HTMLInputElement>
}) {
  const t = useT('kit')
  const told = use(PlainContext)
  if (!told) throw new Error('an Asked stands outside a PlainForm')
  const { name } = props
  const { asks } = told
  useEffect(() =>
    asks(name, (value) => (value.trim() === '' ? (optional ? null : t('fill_in')) : (rule?.(value) ?? null))),
  )
  const given: TextInputProps = {
    ...props,
    'aria-required': !optional || undefined,
    'aria-invalid': name in told.wrong || undefined,
    error: told.wrong[name],
    onChange: (event) => {
      told.typed(name)
      props.onChange?.(event)
    },
    onBlur: (event) => {
      told.left(name, event.currentTarget.value)
      props.onBlur?.(event)
    },
  }
  return secret ? (
    <PasswordInput
      {...(given as PasswordInputProps)}
      visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
    />
  ) : (
    <TextInput {...given} />
  )
}
