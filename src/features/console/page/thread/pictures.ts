/** Pictures and other files of the next message: pasted, dropped or chosen. */

import { h, icon, toast } from "../../../../../adapters/page/dom.ts";
import { showPicture } from "../../../../../adapters/page/key.ts";
import { say } from "../../../../../adapters/page/words.ts";

import type { Image } from "../api/requests.ts";
import type { About } from "../../render/api-types.ts";

export interface ChosenFile extends Image {
  readonly name: string;
  readonly size: number;
  /** Address of the picture; null for other files. */
  readonly preview: string | null;
}

export type PictureLimits = Pick<About["limits"], "images" | "imageBytes" | "fileBytes">;

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const createPictureViews = (limits: () => PictureLimits) => {
  const tray = h("div.line.wrap.tray", { hidden: true });
  let held: ChosenFile[] = [];

  const draw = () => {
    tray.hidden = held.length === 0;
    tray.replaceChildren(...held.map(preview));
  };

  const preview = (picture: ChosenFile) =>
    h(
      "div.held",
      picture.preview === null ? picture.name : h("img", { src: picture.preview, alt: picture.name }),
      h(
        "button.round",
        {
          "aria-label": say("Remove {name}", { name: picture.name }),
          onclick: () => {
            held = held.filter((other) => other !== picture);
            draw();
          },
        },
        icon("close"),
      ),
    );

  const add = async (files: readonly File[]) => {
    for (const file of files) {
      const problem = unusable(file, held, limits());
      if (problem === null) held.push(await read(file));
      else toast(problem);
    }
    draw();
  };

  return {
    tray,
    add,
    take: () => {
      const taken = held;
      held = [];
      draw();
      return taken;
    },
    put: (pictures: readonly ChosenFile[]) => {
      held = [...pictures];
      draw();
    },
    empty: () => held.length === 0,
  };
};

export const filesOf = (transfer: DataTransfer | null): readonly File[] => [...(transfer?.files ?? [])];

/** `url`: address of the API, or of a picture that is still being sent. */
export const pictureView = (url: string, alt: string) => {
  const image = h("img.picture", { alt });
  if (url.startsWith("/api/")) void showPicture(image, url);
  else image.src = url;
  return image;
};

/** Bytes of all files of one message, limited by the size of a request. */
const ALL_BYTES = 28 * 1_048_576;

const isPicture = ({ type }: Pick<File, "type">): boolean => TYPES.includes(type);

const unusable = (
  file: File,
  held: readonly ChosenFile[],
  { images, imageBytes, fileBytes }: PictureLimits,
): string | null => {
  const { name, size } = file;
  const most = isPicture(file) ? imageBytes : fileBytes;
  if (size > most)
    return say("{name} is larger than {most} MB.", { name, most: Math.round(most / 1_048_576) });
  if (held.reduce((sum, one) => sum + one.size, size) > ALL_BYTES)
    return say(
      "{name} is too large for this message: its files can have 28 MB in total. Send it with the next message.",
      { name },
    );
  const pictures = held.filter(({ preview }) => preview !== null).length;
  return isPicture(file) && pictures >= images
    ? say("A message takes at most {count} pictures.", { count: images })
    : null;
};

const read = async (file: File): Promise<ChosenFile> => ({
  name: file.name === "" ? say("picture") : file.name,
  mediaType: file.type,
  size: file.size,
  data: new Uint8Array(await file.arrayBuffer()).toBase64(),
  preview: isPicture(file) ? URL.createObjectURL(file) : null,
});
