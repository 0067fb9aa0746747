import { Button } from '@mantine/core'
import { IconFileCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useT } from '../i18n/catalogue.ts'
import type { CheckedFile } from '#kit/contract/paper-file.ts'
import css from './papers.module.css'

/** Larger than any paper: somebody chose another file. */
const MOST_BYTES = 50_000_000

/** Where the file of a paper is dropped or chosen; it is looked at here, and sent nowhere. */
export function FileCheck({ onFile }: { onFile: (file: CheckedFile) => void }) {
  const t = useT('papers')
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [reading, setReading] = useState(false)
  const [problem, setProblem] = useState<'verify_file_none' | 'verify_file_large' | null>(null)
  const take = async (file: File | null | undefined) => {
    if (picker.current) picker.current.value = ''
    if (!file || reading) return
    if (file.size > MOST_BYTES) return setProblem('verify_file_large')
    setReading(true)
    setProblem(null)
    try {
      const { checkFile } = await import('#kit/contract/paper-file.ts')
      onFile(await checkFile(file.name, new Uint8Array(await file.arrayBuffer())))
    } catch {
      setProblem('verify_file_none')
    } finally {
      setReading(false)
    }
  }
  return (
    <div
      className={css.drop}
      data-over={over || undefined}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <Button
        variant="default"
        size="md"
        leftSection={<IconFileCheck size={18} aria-hidden />}
        loading={reading}
        onClick={() => picker.current?.click()}
      >
        {t('verify_file')}
      </Button>
      <small>{t('verify_file_text')}</small>
      {problem && <p role="alert">{t(problem)}</p>}
      <input
        ref={picker}
        type="file"
        hidden
        accept="application/pdf,.pdf"
        aria-label={t('verify_file')}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
    </div>
  )
}
