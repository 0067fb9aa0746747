import { area } from '#kit/contract/index.ts'
import { tag, tagCalls } from './tag.contract.ts'

/** Tags: words that staff put on records to find them again. */
export const tagsArea = area({
  name: 'tags',
  label: ['Tags', 'الوسوم'],
  resources: [tag],
  calls: tagCalls,
})
