import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useMe } from '../auth/me.ts'
import { formatInstant } from '../i18n/format.ts'
import { useLanguage, useT } from '../i18n/index.ts'
import { useUnsaved } from '../router/index.ts'
import css from './draft.module.css'

/** Older drafts are of another time: nobody goes on with them. */
const KEPT_MS = 30 * 86_400_000

interface Kept<V> {
  readonly at: string
  readonly value: Partial<V>
}

/** What is kept under a key, if it is not too old. */
function read<V>(key: string): Kept<V> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept<V> | null
    if (!kept) return null
    if (Date.now() - Date.parse(kept.at) < KEPT_MS) return kept
    localStorage.removeItem(key)
  } catch {
    // Storage is forbidden, or holds something else: nothing was kept.
  }
  return null
}

/** Keeps or removes a draft; answers whether the device did so. */
function write(key: string, kept: Kept<unknown> | null): boolean {
  try {
    if (kept) localStorage.setItem(key, JSON.stringify(kept))
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}

/** What `DraftOffer` shows, and how a draft ends. */
export interface Draft {
  /** When somebody began what is offered. */
  readonly began: string | null
  /** Something typed is kept now. */
  readonly keeps: boolean
  readonly proceed: () => void
  readonly drop: () => void
  /** It was sent: nothing is kept any more. */
  readonly sent: () => void
}

/**
 * Keeps what is typed in a long form on this device, for this person and record, and offers it when the form is opened
 * again. It is gone once it was sent, thrown away, or the person signed out (everything kept under `ems.` goes then). While
 * it is kept, leaving the form loses nothing and does not ask; where the device keeps nothing, leaving asks.
 *
 * @param name of the form
 * @param typed what stands in it; null while nothing does
 * @param restore puts back what was typed. What an older version of the form kept may lack parts
 * @example const draft = useDraft('ticket', body ? { body } : null, (kept) => setBody(kept.body ?? ''))
 */
export function useDraft<V extends object>(name: string, typed: V | null, restore: (kept: Partial<V>) => void): Draft {
  const { user } = useMe()
  const key = `ems.draft.${user.id}.${user.student_id ?? 0}.${name}`
  const [offered, setOffered] = useState(() => read<V>(key))
  const [kept, setKept] = useState(false)
  const ended = useRef(false)
  const began = useRef<string | null>(null)
  const text = typed && JSON.stringify(typed)
  useEffect(() => {
    // What is offered stays until somebody decides about it.
    if (offered || ended.current) return
    if (text === null) {
      began.current = null
      write(key, null)
      return
    }
    began.current ??= new Date().toISOString()
    setKept(write(key, { at: began.current, value: JSON.parse(text) as V }))
  }, [key, text, offered])
  useUnsaved(text !== null && !kept)
  return {
    began: offered?.at ?? null,
    keeps: kept && text !== null,
    proceed: () => {
      began.current = offered!.at
      restore(offered!.value)
      setOffered(null)
    },
    drop: () => {
      write(key, null)
      setOffered(null)
    },
    sent: () => {
      ended.current = true
      write(key, null)
    },
  }
}

/** Offers what somebody began earlier; says that what is typed is kept. Stands above the fields. */
export function DraftOffer({ of }: { readonly of: Draft }) {
  const t = useT('kit-forms')
  const lang = useLanguage()
  if (of.began === null) return of.keeps ? <p className={css.kept}>{t('draft_kept')}</p> : null
  return (
    <section className={css.offer} aria-label={t('draft_continue')}>
      <p>{t('draft_began', { at: formatInstant(of.began, lang) })}</p>
      <Button size="xs" onClick={of.proceed}>
        {t('draft_continue')}
      </Button>
      <Button size="xs" variant="default" onClick={of.drop}>
        {t('draft_drop')}
      </Button>
    </section>
  )
}
