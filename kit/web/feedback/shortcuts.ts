import { useEffect, useRef } from 'react'
import { createStore } from '../store.ts'

/** One key (`n`), a chord (`mod+s`: Ctrl, on Apple Command) or two keys after another (`g s`). */
export interface Shortcut {
  readonly keys: string
  /** What it does, for the help sheet. */
  readonly label: string
  readonly group?: 'go' | 'screen' | 'everywhere'
  readonly run: () => void
}
const shortcuts = createStore<readonly Shortcut[]>([])
export const shortcutsStore = shortcuts

/** Binds keys to an action while the component is shown. The latest binding of the same keys wins. Disabled when `label` is null. */
export function useShortcut(
  keys: string,
  run: () => void,
  label: string | null,
  group: Shortcut['group'] = 'screen',
): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (label === null) return
    const entry: Shortcut = { keys, label, group, run: () => latest.current() }
    shortcuts.set((kept) => [...kept, entry])
    return () => shortcuts.set((kept) => kept.filter((s) => s !== entry))
  }, [keys, label, group])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button|submit)$/.test(target.type))

/**
 * The name of a pressed key. On an Arabic keyboard `n` sends another letter, so letters are taken by their place on the
 * keyboard where the letter itself is not Latin.
 */
const nameOfKey = (event: KeyboardEvent): string => {
  if (event.key.length === 1 && !/[a-z0-9]/i.test(event.key) && /^Key[A-Z]$/.test(event.code))
    return event.code.slice(3).toLowerCase()
  if (event.code === 'Slash' && !/[/?]/.test(event.key)) return event.shiftKey ? '?' : '/'
  return event.key.length === 1 ? event.key.toLowerCase() : event.key
}

let pending: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const find = (keys: string) => shortcuts.get().findLast((s) => s.keys === keys)

/** Listens for shortcuts; the shell starts it once. Returns the way to stop. */
export function listenForShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const name = nameOfKey(event)
    const mod = event.ctrlKey || event.metaKey
    const found = mod ? find(`mod+${name}`) : undefined
    if (mod) {
      if (found) {
        event.preventDefault()
        found.run()
      }
      return
    }
    // Inside a field letters are text; an open dialog owns the keyboard.
    if (isTyping(event.target) || document.querySelector('[role="dialog"][aria-modal="true"], [role="menu"]')) return
    const keys = pending ? `${pending} ${name}` : name
    const hit = find(keys) ?? find(name)
    clearTimeout(timer)
    pending = null
    if (hit) {
      event.preventDefault()
      hit.run()
    } else if (shortcuts.get().some((s) => s.keys.startsWith(`${name} `))) {
      pending = name
      timer = setTimeout(() => (pending = null), 1200)
    }
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
