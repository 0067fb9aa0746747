import { formatBytes } from '#kit/web/i18n/index.ts'
import css from './conversation.module.css'

interface SentFile {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly url: string
}

/** What a message says, and its files: of a ticket, of a chat. */
export function MessageContent({ body, files }: { body: string; files: readonly SentFile[] }) {
  return (
    <>
      {body && (
        <p className={css.text} dir="auto">
          {body}
        </p>
      )}
      {files.length > 0 && (
        <ul className={css.files}>
          {files.map((file) => (
            <li key={file.id}>
              <a href={file.url} target="_blank" rel="noreferrer">
                <bdi>{file.name}</bdi>
              </a>
              <small>{formatBytes(file.size)}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
