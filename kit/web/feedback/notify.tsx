import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Problem } from '#kit/contract/schema.ts'
import { ApiError, isAbort } from '../api/error.ts'
import { errorText, problemText, translate, useT } from '../i18n/catalogue.ts'
import { Link } from '../router/index.ts'
import { createStore } from '../store.ts'
import { stepOf } from './step.tsx'
import type { Step } from './step.tsx'
import css from './feedback.module.css'

type Kind = 'done' | 'info' | 'error'
interface Toast {
  readonly id: number
  readonly kind: Kind
  readonly text: string
  readonly action?: { readonly label: string; readonly go: () => void }
  /** A screen that it leads to. */
  readonly step?: Step | null
  readonly ms: number
}

/** A toast is read at leisure; an error, an offer to undo or a way on stays longer, or nobody reaches it. While held it stays. */
const TOAST_MS = 5_000
const ERROR_MS = 7_000
const UNDO_MS = 9_000
/** Older ones make room. */
const MOST = 4

const toasts = createStore<readonly Toast[]>([])
let last = 0
const show = (toast: Omit<Toast, 'id'>): number => {
  const id = ++last
  toasts.set((kept) =>
    [...kept.filter((t) => t.text !== toast.text || t.kind !== toast.kind), { ...toast, id }].slice(-MOST),
  )
  return id
}
const hide = (id: number): void => toasts.set((kept) => kept.filter((t) => t.id !== id))

const told = new WeakSet<ApiError>()
/** Marks a refusal that the shell has already shown, so that it is not shown twice. */
export const markTold = (error: ApiError): void => void told.add(error)
export const wasTold = (error: unknown): boolean => error instanceof ApiError && told.has(error)

/** A refusal, with the step that unblocks its reason. */
const refused = (text: string, reason: Problem | undefined): void => {
  const step = reason ? stepOf(reason) : null
  show({ kind: 'error', text, step, ms: step ? UNDO_MS : ERROR_MS })
}

/** Short messages at the edge of the screen. */
export const notify = {
  /** Something was done. Say what: `Saved`, `12 students moved`. */
  done: (text: string): number => show({ kind: 'done', text, ms: TOAST_MS }),
  info: (text: string, action?: Toast['action']): number =>
    show({ kind: 'info', text, action, ms: action ? UNDO_MS : TOAST_MS }),
  /**
   * A refusal or failure, in the reader's language, with the screen of the step that unblocks it. Silent for what the shell has
   * already told and for what was given up. `told`: what did not come of it, with the reason in it.
   */
  error(problem: unknown, told: (why: string) => string = (why) => why): void {
    if (isAbort(problem) || wasTold(problem)) return
    if (problem instanceof ApiError) markTold(problem)
    // One sentence tells one reason: the step is that of the reason told.
    const [reason, another] = problem instanceof ApiError ? problem.errors : []
    refused(told(typeof problem === 'string' ? problem : errorText(problem)), another ? undefined : reason)
  },
  /** What came of several at once: why the first of those that were refused was; silent when none was. */
  failed(results: readonly { readonly errors: readonly Problem[] }[]): void {
    const [first] = results
    if (!first) return
    const [reason] = first.errors
    refused(reason ? problemText(reason) : translate('kit', 'something_went_wrong'), reason)
  },
  /** Something reversible was done: offers to take it back. */
  undo: (text: string, undo: () => Promise<unknown> | void): number => {
    const id: number = show({
      kind: 'done',
      text,
      ms: UNDO_MS,
      action: {
        label: translate('kit', 'undo'),
        go: () => {
          hide(id)
          Promise.resolve(undo()).catch((error: unknown) => notify.error(error))
        },
      },
    })
    return id
  },
  hide,
}

const ICONS = { done: IconCheck, info: IconInfoCircle, error: IconAlertTriangle } as const

function ToastView({ toast }: { toast: Toast }) {
  const t = useT('kit')
  const [held, setHeld] = useState(false)
  const left = useRef(toast.ms)
  useEffect(() => {
    if (held) return
    const begun = Date.now()
    const timer = setTimeout(() => hide(toast.id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - begun
    }
  }, [held, toast.id])
  const Icon = ICONS[toast.kind]
  return (
    <div
      className={css.toast}
      data-kind={toast.kind}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} aria-hidden className={css.toastIcon} />
      <span className={css.toastText} dir="auto">
        {toast.text}
      </span>
      {toast.step && (
        <Link className={css.toastAction} to={toast.step.to} onClick={() => hide(toast.id)}>
          {toast.step.text}
        </Link>
      )}
      {toast.action && (
        <button type="button" className={css.toastAction} onClick={toast.action.go}>
          {toast.action.label}
        </button>
      )}
      <button type="button" className={css.toastClose} aria-label={t('close')} onClick={() => hide(toast.id)}>
        <IconX size={15} aria-hidden />
      </button>
    </div>
  )
}

/** Where toasts appear; the shell renders it once. */
export function Toasts() {
  const list = toasts.use()
  return (
    <div className={css.toasts}>
      {list.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>
  )
}
