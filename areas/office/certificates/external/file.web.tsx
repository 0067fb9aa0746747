import { Button, Input } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { formatBytes, useT } from '#kit/web/i18n/index.ts'
import css from '../certificates.module.css'

/** The file of a paper; it stays on the device until it is sent with the rest. */
export const PaperFile: FieldInput = function PaperFileInput({ error, onChange }) {
  const t = useT('certificates')
  const picker = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  return (
    <Input.Wrapper label={t('external_file')} error={error}>
      <div className={css.line}>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('external_file')}
          accept=".pdf,.jpg,.jpeg,.png,.json,.xml,.txt"
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0] ?? null
            setFile(chosen)
            onChange(chosen)
          }}
        />
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {t('external_choose')}
        </Button>
        {file && (
          <span>
            <bdi>{file.name}</bdi> <small>{formatBytes(file.size)}</small>
          </span>
        )}
      </div>
    </Input.Wrapper>
  )
}
