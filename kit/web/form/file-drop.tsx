import { Button, Progress } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useT } from '../i18n/index.ts'
import css from './file-drop.module.css'

/**
 * Where a spreadsheet is dropped or chosen, and how far it is sent. One file at a time; the same file may be chosen again.
 * @param props.text what it takes
 * @param props.progress percent sent; 100 while it is checked; null: none is under way
 * @param props.accept endings, as in `<input accept>`
 */
export function FileDrop({
  text,
  progress,
  onFile,
  accept = '.xlsx,.csv',
}: {
  text: string
  progress: number | null
  onFile: (file: File) => void
  accept?: string
}) {
  const t = useT('kit-screens')
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (file: File | null | undefined) => {
    if (file && progress === null) onFile(file)
    if (picker.current) picker.current.value = ''
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
        take(event.dataTransfer.files[0])
      }}
    >
      <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden />
      {progress !== null ? (
        <output style={{ display: 'block', width: 260 }}>
          {progress < 100 ? t('uploading') : t('import_checking')}
          <Progress mt={6} value={progress} animated={progress >= 100} aria-label={t('uploading')} />
        </output>
      ) : (
        <>
          <span>{text}</span>
          <Button data-autofocus onClick={() => picker.current?.click()}>
            {t('file_choose')}
          </Button>
        </>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        aria-label={t('file_choose')}
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
    </div>
  )
}
