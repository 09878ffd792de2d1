import { brandSettings, readBrand } from '@frontdesk/service-kit/brand/settings'
import { readPlainPages } from '@frontdesk/service-kit/pages/plain-page'

/** Reads the look of this service's pages, without a brand of the operator. */
export async function readPages () {
  const icon = new URL('../../../public/icon.svg', import.meta.url)
  return await readPlainPages(icon, readBrand({ BRAND_NAME: brandSettings.BRAND_NAME.default }, {}))
}
