export interface S3Settings {
  readonly bucket: string;
  /** Prefix of all names; empty, or ends with a slash. */
  readonly prefix: string;
  /** Null for Amazon's endpoint of the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly keys: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/**
 * Address of the bucket. The bucket is part of the path below a given endpoint. On Amazon the bucket is part of the host name,
 * except for a name with a dot, which the certificate would not cover.
 */
export const bucketAddressOf = ({
  bucket,
  region,
  endpoint,
}: Pick<S3Settings, "bucket" | "region" | "endpoint">): URL => {
  if (endpoint !== null) return new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}`);
  const amazon = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return new URL(bucket.includes(".") ? `https://${amazon}/${bucket}` : `https://${bucket}.${amazon}`);
};
