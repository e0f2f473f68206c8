/** Objects in a directory. */

import { createFolder } from "../../../src/store/base/folder.ts";
import { temporary } from "../kit.ts";
import { holdObjects } from "../objects.ts";

holdObjects(() => Promise.resolve(createFolder(temporary())));
