import { useRef, useState } from 'react'
import { fileCalls } from '#kit/contract/kit.area.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { LARGEST_FILE, MOST_FILES } from './limits.contract.ts'

export interface Kept {
  readonly id: number
  readonly name: string
  readonly size: number
}
/** What is sent: the same key until it is stored, so that a retry does not say it twice. */
export interface ComposedMessage {
  readonly body: string
  readonly file_ids: number[]
  readonly key: string
}

/** A key of 122 random bits, also where the page came without encryption. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const sameSaid = (one: Omit<ComposedMessage, 'key'>, other: Omit<ComposedMessage, 'key'>): boolean =>
  one.body === other.body && one.file_ids.join() === other.file_ids.join()

/** What is written and chosen, and how it is sent: once, however often it is tried. */
export function useComposer({
  say,
  quick,
  optionalText,
  ready,
  begun = '',
}: {
  say: (said: ComposedMessage) => Promise<unknown>
  quick: boolean | undefined
  optionalText: boolean | undefined
  ready: boolean
  begun?: string | undefined
}) {
  const t = useT('conversation')
  const tried = useRef<ComposedMessage | null>(null)
  const [body, setBody] = useState(begun)
  const [files, setFiles] = useState<readonly Kept[]>([])
  const [refused, setRefused] = useState<string | null>(null)
  const { busy, problem, go, send } = useChange()
  const take = async (chosen: Iterable<File>) => {
    setRefused(null)
    const all = [...chosen]
    if (files.length + all.length > MOST_FILES) return setRefused(t('files_most', { count: MOST_FILES }))
    const large = all.find((file) => file.size > LARGEST_FILE)
    if (large) return setRefused(t('file_large', { name: large.name, max: LARGEST_FILE / 1_000_000 }))
    for (const file of all) {
      const done = await go(() => send(fileCalls.uploadFile, { file }))
      if (!done) return
      setFiles((before) => [...before, done.answer.data])
    }
  }
  const can = ready && !busy && (body.trim() !== '' || (Boolean(optionalText) && files.length > 0))
  const submit = async () => {
    if (!can) return
    const said = { body: body.trim(), file_ids: files.map((file) => file.id) }
    // Sent again as it was, it may be stored already; changed since, it is something else.
    tried.current = tried.current && sameSaid(tried.current, said) ? tried.current : { ...said, key: newKey() }
    const kept = files
    const empty = () => {
      setBody('')
      setFiles([])
    }
    // Who writes quickly goes on while it is sent.
    if (quick) empty()
    const done = await go(async () => {
      await say(tried.current!)
      return true
    })
    if (done) {
      tried.current = null
      if (!quick) empty()
    } else if (quick) {
      setBody((since) => (since ? `${said.body}\n${since}` : said.body))
      setFiles((since) => [...kept, ...since])
    }
  }
  return { body, setBody, files, setFiles, refused, busy, problem, take, can, submit }
}
