# SPDX-License-Identifier: Apache-2.0
# Torch's headers and libraries as its Python package brings them ('make torch' installs it into .venv), and the CUDA
# headers that its own include. Nothing is downloaded here.
file(GLOB _strobe_torch ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch)
file(GLOB _strobe_cuda ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu13/include)
find_path(STROBE_TORCH_INCLUDE_DIR torch/script.h HINTS ${_strobe_torch} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(STROBE_TORCH_CPU_LIBRARY torch_cpu HINTS ${_strobe_torch} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(STROBE_TORCH_C10_LIBRARY c10 HINTS ${_strobe_torch} PATH_SUFFIXES lib NO_DEFAULT_PATH)
# For graphs; without them the plugin does all but that.
find_library(STROBE_TORCH_CUDA_LIBRARY torch_cuda HINTS ${_strobe_torch} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(STROBE_TORCH_C10_CUDA_LIBRARY c10_cuda HINTS ${_strobe_torch} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_path(STROBE_CUDA_INCLUDE_DIR cuda_runtime_api.h HINTS ${_strobe_cuda} NO_DEFAULT_PATH)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TorchLibrary REQUIRED_VARS STROBE_TORCH_INCLUDE_DIR STROBE_TORCH_CPU_LIBRARY
                                                             STROBE_TORCH_C10_LIBRARY)
if(TorchLibrary_FOUND AND NOT TARGET TorchLibrary::headers)
  add_library(TorchLibrary::headers INTERFACE IMPORTED)
  set_target_properties(TorchLibrary::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${STROBE_TORCH_INCLUDE_DIR})
  # Their own libraries (CUPTI, cuDNN, …) need not be here to link.
  add_library(TorchLibrary::cpu INTERFACE IMPORTED)
  set_target_properties(TorchLibrary::cpu PROPERTIES
    INTERFACE_LINK_LIBRARIES "TorchLibrary::headers;${STROBE_TORCH_CPU_LIBRARY};${STROBE_TORCH_C10_LIBRARY}"
    INTERFACE_LINK_OPTIONS "LINKER:--allow-shlib-undefined,--unresolved-symbols=ignore-in-shared-libs")
  if(STROBE_TORCH_CUDA_LIBRARY AND STROBE_TORCH_C10_CUDA_LIBRARY AND STROBE_CUDA_INCLUDE_DIR)
    add_library(TorchLibrary::cuda INTERFACE IMPORTED)
    set_target_properties(TorchLibrary::cuda PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES ${STROBE_CUDA_INCLUDE_DIR}
      INTERFACE_LINK_LIBRARIES "TorchLibrary::cpu;${STROBE_TORCH_CUDA_LIBRARY};${STROBE_TORCH_C10_CUDA_LIBRARY}")
  endif()
endif()
