import type { ModalProps } from '@mantine/core'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { part } from '../later.ts'
import { createStore } from '../store.ts'
import type { Weight } from './weight.tsx'

export interface ConfirmOptions extends Weight {
  /** The question: `Remove this faculty?` */
  title: string
  /** What will happen and to how many, in a sentence. */
  consequence?: ReactNode
  /** The verb on the button: `Remove`. */
  action: string
  /** Red button: it cannot be undone or hurts. */
  danger?: boolean
  /** The focus is on Cancel, as in what hurts: an Enter too many does nothing. */
  careful?: boolean
  /** Work done while the dialog waits; a refusal is shown in the dialog, which then stays open. */
  go?: () => Promise<unknown>
}
/** A question that waits for its answer. */
export interface Asked extends ConfirmOptions {
  readonly kind: 'confirm' | 'alert'
  readonly answer: (yes: boolean) => void
  readonly back?: () => void
}
const asked = createStore<readonly Asked[]>([])
const ask = (what: Omit<Asked, 'answer'>): Promise<boolean> =>
  new Promise((resolve) => {
    const entry: Asked = {
      ...what,
      answer: (yes) => {
        asked.set((kept) => kept.filter((a) => a !== entry))
        resolve(yes)
      },
    }
    asked.set((kept) => [...kept, entry])
  })

/**
 * Asks before something that cannot be undone.
 * @example if (await confirm({ title: t('remove_title', { name }), consequence: t('remove_text', { count }), action: t('remove'), danger: true })) …
 */
export const confirm = (options: ConfirmOptions): Promise<boolean> => ask({ ...options, kind: 'confirm' })
/** Says something that has to be read, with OK; `back` offers to go one page back as well. */
export const alert = async (options: {
  title: string
  text?: ReactNode
  action?: string
  back?: () => void
}): Promise<void> => {
  await ask({
    kind: 'alert',
    title: options.title,
    consequence: options.text,
    action: options.action ?? '',
    back: options.back,
  })
}

/** Closes what stands open: somebody goes elsewhere by a link in it. */
export const closeDialogs = (): void => {
  for (const dialog of asked.get()) dialog.answer(false)
}

const DialogView = part(async () => (await import('./dialog-view.tsx')).default, { ahead: true })
/** Where dialogs of `confirm` and `alert` appear; the shell renders it once. */
export function Dialogs() {
  const list = asked.use()
  return (
    list.length > 0 && (
      <Suspense>
        {list.map((dialog, i) => (
          <DialogView key={i} dialog={dialog} />
        ))}
      </Suspense>
    )
  )
}

const Frame = part<ModalProps>(async () => (await import('./dialog-frame.ts')).default, { ahead: true })
/**
 * A dialog with its own content, whose frame is fetched at the user's first action: for screens that rarely open one.
 */
export const Dialog = (props: ModalProps) => (
  <Suspense>
    <Frame {...props} />
  </Suspense>
)
